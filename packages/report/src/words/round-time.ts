// Where the seconds of a round went, from what the runner wrote down.
import type { RoundTime, RunFacts } from "@roundtrip/analysis";
import { listed } from "@roundtrip/analysis";

const phases: readonly { readonly of: Exclude<keyof RoundTime, "round">; readonly name: string }[] = [
  { of: "startingMs", name: "starting processes" },
  { of: "firstCallsMs", name: "first calls" },
  { of: "verificationMs", name: "comparing answers" },
  { of: "warmUpMs", name: "warm-up" },
  { of: "blocksMs", name: "blocks that are timed" },
  { of: "endingMs", name: "ending processes and writing" },
];

function meanOf(times: readonly RoundTime[], of: (typeof phases)[number]["of"]): number {
  return times.reduce((sum, time) => sum + time[of], 0) / times.length;
}

/** `On average a round took 8.1 s: 2 s (25 %) for starting processes, …`; empty for runs that wrote nothing of it down. */
export function roundTimeText({ roundTimes = [] }: Pick<RunFacts, "roundTimes">): string {
  if (roundTimes.length === 0) return "";
  const means = phases.map(({ of, name }) => ({ name, ms: meanOf(roundTimes, of) }));
  const wholeMs = means.reduce((sum, { ms }) => sum + ms, 0);
  const parts = means.map(
    ({ name, ms }) => `${(ms / 1000).toFixed(1)} s (${Math.round((100 * ms) / wholeMs)} %) for ${name}`,
  );
  return `On average a round took ${(wholeMs / 1000).toFixed(1)} s: ${listed(parts)}`;
}
