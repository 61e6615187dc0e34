// Colours of pictures: one for each style, readable in both themes.
import type { Arm } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import { armFor } from "../../analysis/test/synthetic-run.ts";
import { colours, themes, variantLooks } from "../src/marks/palette.ts";

/** Relative luminance and contrast of WCAG 2.2. */
function luminance(hex: string): number {
  const whole = hex.length === 4 ? hex.replaceAll(/[\da-f]/g, "$&$&") : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(whole.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

describe.each(Object.entries(themes))("the %s theme", (_, declarations) => {
  const values = new Map(declarations.split(";").map((one) => one.split(":") as [string, string]));
  const paper = values.get("--paper") ?? "";
  const hues = [...values].filter(([name]) => name.startsWith("--hue-"));

  it("has colours with a contrast of at least 3:1 against its paper", () => {
    expect(hues).toHaveLength(8);
    expect(hues.filter(([, value]) => contrast(value, paper) < 3)).toEqual([]);
  });
});

function armOf(style: string, server: string, role: Arm["role"] = "style"): Arm {
  const stack = `${style}-${server}`;
  return armFor({ id: stack, style, server, client: "any", stack, title: "API", role, variant: "single" });
}

function coloursOf(styles: readonly string[]): readonly string[] {
  const arms = styles.map((style) => armOf(style, "library"));
  return arms.map(colours({ arms }));
}

describe("a colour", () => {
  const arms = [
    armOf("rest", "express"),
    armOf("rest", "fastify"),
    armOf("grpc", "grpc-js"),
    armOf("floor", "floor", "floor"),
  ];

  it("belongs to a style, whatever its libraries are", () => {
    expect(arms.map(colours({ arms }))).toEqual(["var(--hue-2)", "var(--hue-2)", "var(--hue-1)", "var(--floor)"]);
  });

  it("of a style is the same in every run, and no other style of a run has it", () => {
    const styles = ["graphql", "grpc", "rest", "connect", "grpc-web", "soap", "trpc", "other"];
    expect(styles.slice(0, 4).map((name) => coloursOf([name])[0])).toEqual(coloursOf(styles.slice(0, 4)));
    expect(new Set(coloursOf(styles)).size).toBe(8);
  });
});

describe("the look of a variant", () => {
  const linked = ["facade", "fine", "fine-parallel", "batched", "listed", "query"];

  it("is its own in each picture, whatever its name", () => {
    for (const variants of [linked, ["facade", "batched-10", "batched-50", "mine", "yours"]]) {
      const looks = variants.map(variantLooks(variants));
      expect(new Set(looks.map(({ symbol }) => symbol)).size).toBe(variants.length);
      expect(new Set(looks.map(({ dash }) => dash)).size).toBe(variants.length);
    }
  });

  it("is the same in every picture", () => {
    expect(variantLooks(["mine", "query", "facade"])("query")).toBe(variantLooks(linked)("query"));
  });
});
