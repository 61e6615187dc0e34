// Short names for the environments of a history's runs: A, B and so on, in the order in which they come.
import type { EnvironmentFingerprint } from "@roundtrip/analysis";
import type { HistoryRun } from "./history-run.ts";

const letters = 26;

function letterName(index: number): string {
  const letter = String.fromCodePoint(65 + (index % letters));
  return index < letters ? letter : `${letterName(Math.floor(index / letters) - 1)}${letter}`;
}

/** Gives the name of an environment of these runs. */
export function environmentNames(runs: readonly HistoryRun[]): (environment: EnvironmentFingerprint) => string {
  const seen = [...new Set(runs.map(({ environment }) => JSON.stringify(environment)))];
  return (environment) => letterName(seen.indexOf(JSON.stringify(environment)));
}
