// `roundtrip compare` for one round: what it builds, starts, asks and keeps needs no verdict, which would take eight rounds or more.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { emptyFolder, start, until, type Circumstances } from "./run-program.ts";

/** The parts of a comparison that tests ask for. */
export interface KeptComparison {
  readonly cells: readonly { readonly task: string; readonly variant: string; readonly stack: string }[];
  readonly warnings: readonly { readonly message: string }[];
}

/** Whether a run directory holds a round. */
export function hasRound(directory: string): boolean {
  try {
    return /"roundsDone":\s*[1-9]/.test(readFileSync(join(directory, "run.json"), "utf8"));
  } catch {
    return false;
  }
}

/**
 * Runs the comparison with these words, and interrupts it as Ctrl-C does once it has found the answers equal and measured a round. Expects that it
 * printed and kept a comparison without a verdict. Resolves to what it kept.
 */
export async function compareOneRound(
  words: readonly string[],
  circumstances: Circumstances,
): Promise<{ readonly comparison: KeptComparison; readonly stderr: string }> {
  const directory = join(emptyFolder(), "run");
  const running = start([...words, "--out", directory], circumstances);
  let hasEnded = false;
  const ended = running.ended.finally(() => (hasEnded = true));
  await until(() => (hasEnded || hasRound(directory) ? true : undefined));
  if (!hasEnded) running.signal("SIGINT");
  const { status, stdout, stderr } = await ended;
  expect({ status, stderr }).toMatchObject({ status: 130 });
  expect(stdout).toContain("INCONCLUSIVE");
  const comparison = JSON.parse(readFileSync(join(directory, "comparison.json"), "utf8")) as KeptComparison;
  return { comparison, stderr };
}
