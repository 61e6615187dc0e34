// Titles are for people. Two stacks that are called alike come out as two in every analysis, table, picture and document: a run whose stacks all have one
// title says the same, word for word, as the run whose stacks have one each.
import { compareRuns, gatherCalls, type GatheredCalls } from "@roundtrip/analysis";
import { configurationOf, type RunFacts } from "@roundtrip/runs";
import { renderComparisonPlots, renderPlots } from "@roundtrip/report";
import { comparisonFormatNames, loadComparisonFormat, loadFormat } from "@roundtrip/report/registry";
import { allStacks } from "@roundtrip/stacks";
import { describe, expect, it } from "vitest";
import { reportInput } from "../src/output/write-report.ts";
import { everyStudyRun, type MadeRun } from "./support/every-study-run.ts";

/** Together they have every kind of table and picture. */
const studies = ["hello", "facade", "load-difficulty", "load-calls", "concurrency"];
const overDistance = ["network-distance", "network-windows", "network-idle", "network-connections", "saturation"];

/** Of each style its default; of two also one that differs in its client, and one that differs in its server: all that a report can show, with few. */
const stacks = [...Map.groupBy(allStacks(), ({ style }) => style)].flatMap(([style, ofStyle]) => {
  const usual = ofStyle.find(({ isDefault }) => isDefault) ?? ofStyle[0];
  if (!["grpc", "rest"].includes(style)) return usual?.name ?? [];
  const otherClient = ofStyle.find(({ server, client }) => server === usual?.server && client !== usual.client);
  const otherServer = ofStyle.find(({ server, client }) => server !== usual?.server && client === usual?.client);
  return [usual, otherClient, otherServer].flatMap((one) => one?.name ?? []);
});

/** Two reports in every format, on a machine that has other things to do. */
const timeoutMs = 300_000;

/** Names of one width, so that pictures wrap each the same; 9999 is the number that all get where they have one title. */
const numbered = /(?<=Stack|Plain)\d{4}/g;
const sameNumber = "9999";

interface Named {
  readonly facts: RunFacts;
  readonly calls: GatheredCalls;
}

/** Four digits out of those that are equally wide where pictures are laid out. */
function wideNumber(index: number): string {
  const digits = "689";
  const digitAt = (place: number): string => digits[Math.floor(index / digits.length ** place) % digits.length] ?? "";
  return [3, 2, 1, 0].map(digitAt).join("");
}

/** Gives every stack, as it is set, a title by its number, and every stack a name of its own; or all of them one. */
function renamed({ facts, samples }: MadeRun, isDistinct: boolean): Named {
  const numberOf = (keys: readonly string[]): ((key: string) => string) => {
    const each = [...new Set(keys)];
    return (key) => (isDistinct ? wideNumber(each.indexOf(key)) : sameNumber);
  };
  const ofConfiguration = numberOf(facts.arms.map(configurationOf));
  const ofStack = numberOf(facts.arms.map(({ stack }) => stack));
  const arms = facts.arms.map((arm) => ({
    ...arm,
    title: `Stack${ofConfiguration(configurationOf(arm))}`,
    stackTitle: `Plain${ofStack(arm.stack)}`,
  }));
  const titleOf = new Map(arms.map(({ id, title }) => [id, title]));
  const capacities = (facts.capacities ?? []).map((one) => ({ ...one, title: titleOf.get(one.armIds[0] ?? "") ?? "" }));
  const named = { ...facts, arms, capacities };
  return { facts: named, calls: gatherCalls(named, samples) };
}

/** The first line of a document that is another where all stacks have one title; none where all are alike. */
function difference(name: string, distinct: string, same: string): readonly string[] {
  const [expected, lines] = [distinct.replaceAll(numbered, sameNumber).split("\n"), same.split("\n")];
  const at = lines.findIndex((line, index) => line !== expected[index]);
  if (at === -1 && lines.length === expected.length) return [];
  const [wanted, found] = [expected[at] ?? "", lines[at] ?? ""];
  const from = Math.max(0, Array.from(found).findIndex((character, index) => character !== wanted[index]) - 80);
  return [`${name}: …${wanted.slice(from, from + 160)} ≠ …${found.slice(from, from + 160)}`];
}

type Documents = Map<string, string>;

async function reportsOf({ facts, calls }: Named, into: Documents): Promise<void> {
  const input = reportInput(facts, calls, { seed: 1 }, []);
  for (const name of ["csv", "html", "json", "markdown", "terminal"])
    into.set(name, await (await loadFormat(name)).render(input));
  for (const { name, svg } of await renderPlots(input)) into.set(`plot ${name}`, svg);
}

async function comparisonsOf(base: Named, head: Named, into: Documents): Promise<void> {
  const [one, other] = [
    { ...base, version: { label: "base" } },
    { ...head, version: { label: "head" } },
  ];
  const comparison = compareRuns(one, other);
  const page = { columns: 100, colour: false };
  for (const name of comparisonFormatNames()) {
    const format = await loadComparisonFormat(name);
    into.set(name, format.render({ comparison, files: [], pictures: [], page }));
  }
  for (const { name, svg } of renderComparisonPlots(comparison)) into.set(`plot ${name}`, svg);
}

/** What every document says otherwise where all stacks have one title, of the same that are made with titles of their own. */
async function differences(make: (rename: (run: MadeRun) => Named, into: Documents) => Promise<void>) {
  const distinct: Documents = new Map();
  const same: Documents = new Map();
  await make((run) => renamed(run, true), distinct);
  await make((run) => renamed(run, false), same);
  expect([...same.keys()]).toEqual([...distinct.keys()]);
  return [...same].flatMap(([name, text]) => difference(name, distinct.get(name) ?? "", text));
}

describe("stacks of one title", () => {
  it.each([
    ["here", studies],
    ["over distance", overDistance],
  ])(
    "are as many groups, rows and panels of a report as they would be by themselves, measured %s",
    { timeout: timeoutMs },
    async (_, names) => {
      const run = await everyStudyRun({ studies: names, stacks });
      expect(await differences((rename, into) => reportsOf(rename(run), into))).toEqual([]);
    },
  );

  it("are as many rows of a comparison of two runs as they would be by themselves", async () => {
    const [base, head] = [
      await everyStudyRun({ studies: ["hello", "gate"], stacks }),
      await everyStudyRun({ studies: ["hello", "gate"], stacks, seed: 2 }),
    ];
    expect(await differences((rename, into) => comparisonsOf(rename(base), rename(head), into))).toEqual([]);
  });
});
