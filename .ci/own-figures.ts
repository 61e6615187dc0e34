// The figures of a measure of this project, for pages that keep them.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Figure } from "../bench/self/measure.ts";

const root = join(import.meta.dirname, "..");

function outputOf(program: string, words: readonly string[]): string {
  return execFileSync(program, words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** Runs a measure, which may take minutes. A measure that misses its target exits with 1, after printing its figures. @param words after `bench:self` */
export function ownFigures(...words: readonly string[]): readonly (Figure & { readonly rounds: number })[] {
  try {
    return JSON.parse(outputOf(process.execPath, ["bench/self/main.ts", ...words, "--json"])).figures;
  } catch (thrown) {
    const { status, stdout } = thrown as { readonly status?: number; readonly stdout?: string };
    if (status !== 1 || stdout === undefined) throw thrown;
    return JSON.parse(stdout).figures;
  }
}
