// What tables and pictures say of the bound: the server or client of a style that needs no library.
import type { EffectRatio, LibraryEffects } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { expect, it } from "vitest";
import { plot } from "../src/plots/floor-multiples.ts";
import { reportTable } from "../src/tables/library-effects.ts";
import { viewStudies } from "../src/view/run-view.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultArms, type CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

const bare = { server: "node-http", stack: "rest-node-http", title: "REST (node-http)" } as const;

const hello = defaultArms().filter(({ arm }) => arm.study === "hello");
const withBare = hello.flatMap((costed): readonly CostedArm[] => {
  const { arm } = costed;
  if (arm.style !== "rest") return [costed];
  const own: Arm = { ...arm, ...bare, stackTitle: bare.title, id: `${arm.id}-bare`, bounds: ["server"] };
  return [costed, { ...costed, arm: own, latencyMs: costed.latencyMs / 2 }];
});

function ratio(numerator: string, denominator: string): EffectRatio {
  const values = { ratio: 2, low: 1.8, high: 2.2, rounds: 6, basis: "max-t", hodgesLehmann: 2 } as const;
  return { choice: "server", style: "rest", numerator, denominator, ...values };
}

function input(arms: readonly CostedArm[]): ReportInput {
  const given = inputFrom(arms, 60);
  const effects: LibraryEffects = {
    study: "hello",
    task: "hello",
    metric: "latencyMs",
    armIds: arms.filter(({ arm }) => arm.role === "style").map(({ arm }) => arm.id),
    rounds: 6,
    ratios: [ratio("express", "node-http")],
    bounds: [],
    variances: [],
    inseparable: [],
    matters: null,
    orders: [],
  };
  return { ...given, analysis: { ...given.analysis, libraryEffects: [effects] } };
}

function cellsOf(of: ReportInput): readonly string[] {
  const [study] = viewStudies(of);
  const tables = study === undefined ? [] : reportTable.tables(of, study, "all");
  return tables.flatMap(({ table }) => [...table.rows.flatMap(({ cells }) => cells), table.note]);
}

it("the library that is a bound is called one, and the note says what a bound is", () => {
  const cells = cellsOf(input(withBare));
  expect(cells).toContain("REST: server library, express / node-http (bound)");
  expect(cells.join("\n")).toContain("Bound: on the modules of Node.js alone, without a library.");
});

it("two styles have a row: at the mean of libraries, over pairs of stacks, and without server libraries", () => {
  const of = input(withBare);
  const [effects] = of.analysis.libraryEffects as [LibraryEffects];
  const stacks = of.analysis.arms.filter(({ id }) => effects.armIds.includes(id));
  const idOf = (style: string): string => stacks.findLast((arm) => arm.style === style)?.id ?? "";
  const styles = { ...ratio("grpc", "rest"), choice: "style", style: "grpc" } as const;
  // The other style is the slower one here.
  const bound = {
    ...ratio("", ""),
    ratio: 0.5,
    low: 0.4,
    high: 0.625,
    numeratorId: idOf("rest"),
    denominatorId: idOf("grpc"),
  };
  const order = { faster: "rest", slower: "grpc", order: "depends", pairs: 4, fasterIn: 2, slowerIn: 1 } as const;
  const given = { ...effects, ratios: [styles], bounds: [bound], orders: [order], inseparable: ["grpc"] };
  const cells = cellsOf({ ...of, analysis: { ...of.analysis, libraryEffects: [given] } });
  const row = ["gRPC / REST", "2.00×", "1.80× to 2.20×", "2 slower, 1 faster, 1 unclear", "2.00×", "1.60× to 2.50×"];
  const start = cells.indexOf("gRPC / REST");
  expect(cells.slice(start, start + row.length)).toEqual(row);
  expect(cells.join("\n")).toContain("gRPC: one server library each, from which the style cannot be separated.");
});

it("without a bound no table speaks of one", () => {
  expect(cellsOf(input(hello)).join("\n")).not.toMatch(/bound/i);
});

it("the picture of multiples of the floor explains the marks of the bound, where there is one", () => {
  const captions = [withBare, hello].map((arms) => plot.figures(input(arms)).map(({ caption }) => caption));
  expect(captions[0]).toEqual([expect.stringContaining("Dashed: the bound of the style's servers")]);
  expect(captions[1]).toEqual([expect.not.stringContaining("bound")]);
});
