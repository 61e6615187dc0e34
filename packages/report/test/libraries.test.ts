// What tables and pictures say of libraries, and of the bound: the server or client of a style that needs no library.
import type { Arm } from "@roundtrip/runs";
import { expect, it } from "vitest";
import { plot } from "../src/plots/floor-multiples.ts";
import { reportTable } from "../src/tables/libraries.ts";
import { viewStudies } from "../src/view/run-view.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultArms, type CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

const hello = defaultArms().filter(({ arm }) => arm.study === "hello");

/** Every style with a further stack whose server has no library. */
const withBare = hello.flatMap((costed): readonly CostedArm[] => {
  const { arm } = costed;
  if (!["rest", "grpc"].includes(arm.style)) return [costed];
  const server = "node-http";
  const title = `${arm.title} (${server})`;
  const stack = `${arm.style}-${server}`;
  const bare: Arm = { ...arm, server, stack, title, stackTitle: title, id: `${arm.id}-bare`, bounds: ["server"] };
  return [costed, { ...costed, arm: bare, latencyMs: costed.latencyMs / 2 }];
});

function input(arms: readonly CostedArm[]): ReportInput {
  const { analysis, ...given } = inputFrom(arms, 60);
  const idOf = (style: string, isBare: boolean): string =>
    analysis.arms.find((arm) => arm.style === style && (arm.bounds !== undefined) === isBare)?.id ?? "";
  const ratio = { ratio: 2, low: 1.6, high: 2.5, rounds: 6, basis: "max-t", hodgesLehmann: 2 } as const;
  const about = { ...ratio, verdict: "different", family: "any", familySize: 2 } as const;
  const comparisons = [
    { ...about, kind: "stack", numeratorId: idOf("rest", false), denominatorId: idOf("rest", true) },
    // The numerator is the faster one here.
    {
      ...about,
      kind: "bound",
      numeratorId: idOf("rest", true),
      denominatorId: idOf("grpc", true),
      ratio: 0.5,
      low: 0.4,
      high: 0.625,
    },
  ] as const;
  return { ...given, analysis: { ...analysis, comparisons } };
}

function textOf(of: ReportInput, extent: "all" | "short" = "all"): string {
  const [study] = viewStudies(of);
  const tables = study === undefined ? [] : reportTable.tables(of, study, extent);
  return tables
    .map(({ table }) => [...table.rows.map(({ cells }) => cells.join(" | ")), table.note].join("\n"))
    .join("\n");
}

it("libraries of a style are compared, one that is a bound is called so, and the note says what a bound is", () => {
  const text = textOf(input(withBare));
  expect(text).toMatch(/REST: server library, rest-express \/ node-http \(bound\) \| 2\.00× \| 1\.60× to 2\.50×/);
  expect(text).toContain("Bound: on the modules of Node.js alone, without a library.");
});

it("styles are compared without server libraries, the slower first, also where a terminal has room for one table", () => {
  const row = "gRPC / REST | 2.00× | 1.60× to 2.50×";
  expect(textOf(input(withBare))).toContain(row);
  const short = textOf(input(withBare), "short");
  expect(short).toContain(row);
  expect(short).not.toContain("server library");
});

it("the picture of multiples of the floor explains the marks of the bound, where there is one", () => {
  const captions = [withBare, hello].map((arms) => plot.figures(inputFrom(arms, 60)).map(({ caption }) => caption));
  expect(captions[0]).toEqual([expect.stringContaining("Dashed: the bound of the style's servers")]);
  expect(captions[1]).toEqual([expect.not.stringContaining("bound")]);
});
