// The look of stacks and variants in every picture: a colour per style, a shade of it per stack, a dash and a shape per variant.
import { type Analysis } from "@roundtrip/analysis";
import { configurationOf, type Arm } from "@roundtrip/runs";

// After Okabe and Ito (2008), adjusted to a contrast of at least 3:1 against the background.
const lightHues = ["#0072b2", "#c8501e", "#00805f", "#a8488c", "#8a6d00", "#3f4fb5", "#7a3b1e", "#4d7a00"];
const darkHues = ["#5bb4ea", "#f2915c", "#3cc79b", "#e79ac6", "#e2c044", "#9aa8ff", "#d9a184", "#a9d65c"];

/** Share of black or white in each shade of a colour: away from the background, so that contrast only grows. */
const shades = [0, 0.3, 0.52, 0.7];

function mixed(hue: string, grey: number, share: number): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hue.slice(at, at + 2), 16));
  const mix = parts.map((part) => Math.round(part + (grey - part) * share));
  return `#${mix.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function property(hue: number, shade: number): string {
  return shade === 0 ? `--hue-${hue}` : `--hue-${hue}-${shade}`;
}

function named(hues: readonly string[], grey: number): string {
  return hues
    .flatMap((hue, index) => shades.map((share, shade) => `${property(index, shade)}:${mixed(hue, grey, share)}`))
    .join(";");
}

/** Custom properties of both themes, as the declarations of a rule. */
export const themes = {
  light: `--paper:#fff;--ink:#1b1f24;--quiet:#5a6470;--line:#d5dae0;--faint:#eef1f4;--floor:#6b7480;--source:#6b7480;${named(lightHues, 0)}`,
  dark: `--paper:#14171b;--ink:#e8eaed;--quiet:#a4adb8;--line:#3a424c;--faint:#20252b;--floor:#98a2ae;--source:#98a2ae;${named(darkHues, 255)}`,
} as const;

/** The declarations of a theme without unused shades. */
export function themeFor(svg: string, theme: keyof typeof themes): string {
  const isNeeded = (declaration: string): boolean =>
    !/^--hue-\d-/.test(declaration) || svg.includes(`var(${declaration.split(":")[0]})`);
  return themes[theme].split(";").filter(isNeeded).join(";");
}

/** A number from 0 to 7 for a name: the first styles get different ones. */
function preferredHue(style: string): number {
  let hash = 0;
  for (const character of style) hash = (Math.imul(hash, 48_119) + character.charCodeAt(0)) >>> 0;
  return hash >>> 29;
}

/** The hue of each style: its own in every run, and the next free one if another style of the run has that. */
function huesOf(styles: readonly string[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  for (const style of styles.toSorted()) {
    const taken = new Set(hues.values());
    const free = lightHues
      .map((_, step) => (preferredHue(style) + step) % lightHues.length)
      .find((hue) => !taken.has(hue));
    hues.set(style, free ?? preferredHue(style));
  }
  return hues;
}

/**
 * Returns the colour of each stack: that of its style, in one of four shades per library or setting, in the order of the run (the fifth repeats the
 * first). The same in every picture and every run. Floor arms are grey.
 */
export function colours({ arms }: Pick<Analysis, "arms">): (arm: Arm) => string {
  const measured = arms.filter(({ role }) => role === "style");
  const ofStyles = Map.groupBy(measured, ({ style }) => style);
  const hues = huesOf([...ofStyles.keys()]);
  const colourOf = new Map(
    [...ofStyles].flatMap(([style, ofStyle]) =>
      [...new Set(ofStyle.map(configurationOf))].map(
        (configuration, shade) =>
          [configuration, `var(${property(hues.get(style) ?? 0, shade % shades.length)})`] as const,
      ),
    ),
  );
  return (arm) => colourOf.get(configurationOf(arm)) ?? "var(--floor)";
}

/** The colour of each style, for pictures whose rows or panels name their stacks. Floor arms are grey. */
export function styleColours({ arms }: Pick<Analysis, "arms">): (arm: Arm) => string {
  const measured = arms.filter(({ role }) => role === "style");
  const hues = huesOf([...new Set(measured.map(({ style }) => style))]);
  return ({ role, style }) => (role === "style" ? `var(${property(hues.get(style) ?? 0, 0)})` : "var(--floor)");
}

/** How to distinguish lines without colour: by dash, and by the shape of points (`none` without points). */
export interface VariantLook {
  readonly dash: string;
  readonly symbol: "circle" | "square" | "triangle" | "diamond" | "star" | "cross" | "none";
}

const looks: readonly VariantLook[] = [
  { dash: "none", symbol: "circle" },
  { dash: "7 4", symbol: "square" },
  { dash: "2 3", symbol: "triangle" },
  { dash: "9 3 2 3", symbol: "diamond" },
  { dash: "4 2", symbol: "star" },
  { dash: "1 4", symbol: "cross" },
];

const known = ["facade", "chatty", "chatty-parallel", "together"];

/** The dash and shape of a variant: the same in every picture. */
export function variantLook(variant: string): VariantLook {
  const index = known.indexOf(variant);
  return looks[index < 0 ? (variant === "single" ? 0 : 4) : index] as VariantLook;
}
