// What `compare` says after each look.
import type { CellJudgement, GateJudgement } from "@roundtrip/analysis/gate";
import { expect, it } from "vitest";
import { lookText } from "../src/compare/compare-words.ts";

function cell(task: string, ratio: number, state: CellJudgement["state"]): CellJudgement {
  const about = { id: task, stack: "grpc-js", study: "gate", task, variant: "single", metric: "latencyMs" };
  return { cell: about, ratio, state } as unknown as CellJudgement;
}

function after(rounds: number, state: GateJudgement["state"], ...cells: readonly CellJudgement[]): string {
  return lookText({ rounds, plannedRounds: 30, state, cells } as unknown as GateJudgement, () => "gRPC (command)");
}

it("names what is most suspicious, of what has a figure", () => {
  const open = [cell("dark", Number.NaN, "undecided"), cell("read", 1.04, "undecided")];
  expect(after(8, "undecided", ...open, cell("write", 0.9, "not-worse"))).toBe(
    "After 8 of up to 30 rounds: 2 of 3 metrics open, most suspicious gRPC (command) read, latency +4.0 %\n",
  );
});

it("says what is slower, or that nothing is", () => {
  expect(after(12, "fail", cell("read", 1.08, "worse"))).toContain("slower: gRPC (command) read, latency +8.0 %");
  expect(after(12, "pass", cell("read", 0.99, "not-worse"))).toContain("nothing is slower");
});
