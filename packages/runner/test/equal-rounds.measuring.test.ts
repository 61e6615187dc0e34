// Every round of a run measures the same, however much time there is.
import type { RunFacts } from "@roundtrip/analysis";
import { describe, expect, it } from "vitest";
import { measureRun } from "../src/index.ts";
import { shortRun } from "./support/short-run.ts";

/** The calls of each arm in each round, as they come. */
function callsByRound({ blocks, roundsDone }: RunFacts): readonly Readonly<Record<string, number>>[] {
  return Array.from({ length: roundsDone }, (_, round) => {
    const calls: Record<string, number> = {};
    const ofRound = blocks.filter((block) => block.round === round);
    for (const block of ofRound) calls[block.armId] = (calls[block.armId] ?? 0) + block.calls;
    return calls;
  });
}

describe("every round, also the first, makes the same calls", () => {
  it.each([
    { what: "with time for all", changes: {}, single: 20 },
    { what: "with time for few", changes: { budgetMs: 1 }, single: 2 },
    {
      what: "where rounds and calls are typed",
      changes: { budgetMs: 1, typed: ["rounds", "calls"] as const },
      single: 20,
    },
  ])("$what", async ({ changes, single }) => {
    const typed = new Set("typed" in changes ? changes.typed : []);
    const facts = await measureRun(
      await shortRun({ rounds: 3, ...changes, typed }),
      new AbortController().signal,
      () => undefined,
    );
    const [first = {}, ...others] = callsByRound(facts);
    expect(first["short/hello/rest-express/single"]).toBe(single);
    expect(Object.keys(first)).toHaveLength(4);
    expect(others).toEqual([first, first]);
  });
});
