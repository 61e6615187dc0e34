// The cost of starting the program: its version, its help, the help of each command, and two commands that only read
// (docs/decisions/0200-a-command-loads-what-it-uses.md). CPU time of all threads until the program ends, rather than wall time.
import { atExit, temporaryFolder } from "@roundtrip/runner/lifetime";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { meanFigures } from "../mean-intervals.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { runProgram } from "../run-program.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const program = join(root, "packages", "cli", "bin", "roundtrip.js");
const ownUsage = join(root, "bench", "self", "processes", "own-usage.cjs");

interface Usage {
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly output: string;
}

/** Runs Node.js with these arguments. Rejects if it fails. */
async function usageOf(words: readonly string[]): Promise<Usage> {
  const child = spawn(process.execPath, ["--require", ownUsage, ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  using _ = atExit(() => child.kill("SIGKILL"));
  const output = text(child.stdout as Readable);
  const figures = text(child.stdio[3] as Readable);
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}`);
  return { ...(JSON.parse(await figures) as { cpuMs: number; peakMiB: number }), output: await output };
}

/** A command: its arguments for Node.js, and the targets for its cost. */
interface Line {
  readonly name: string;
  readonly words: readonly string[];
  readonly atMostMs?: number;
  /** Beyond what Node.js itself uses. */
  readonly atMostMiB?: number;
}

/** 70 MiB if a bare Node.js uses 45. How much of its own file counts as memory depends on the machine: with large pages a bare one uses 68. */
const helpMiB = 25;

const bare: Line = { name: "bare Node.js", words: ["--eval", "0"] };

function lineOf(args: string, targets: Pick<Line, "atMostMs" | "atMostMiB">): Line {
  return { name: args, words: [program, ...args.split(" ")], ...targets };
}

const help = { atMostMs: 150, atMostMiB: helpMiB } as const;

async function commands(): Promise<readonly string[]> {
  const { output } = await usageOf([program, "--help"]);
  const listed = /^Commands:\n(.*?)^\S/ms.exec(`${output}\n.`)?.[1] ?? "";
  return [...listed.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name = ""]) => (name === "help" ? [] : [name]));
}

async function linesFor(defaultRun: string): Promise<readonly Line[]> {
  return [
    bare,
    lineOf("--version", help),
    lineOf("--help", help),
    ...(await commands()).map((name) => lineOf(`${name} --help`, help)),
    lineOf("describe", { atMostMs: 400 }),
    { ...lineOf(`report ${defaultRun}`, { atMostMs: 800 }), name: "report of a default run" },
  ];
}

interface Started extends Line {
  readonly usages: readonly Usage[];
}

function figuresOf(started: readonly Started[], seed: number): readonly Figure[] {
  const nodeMiB = started[0]?.usages.map(({ peakMiB }) => peakMiB) ?? [];
  const times = started.map(({ name, atMostMs, usages }) => ({
    of: `${name}, processor time`,
    unit: "ms",
    atMost: atMostMs,
    values: usages.map(({ cpuMs }) => cpuMs),
  }));
  const memory = started.map(({ name, atMostMiB, usages }, index) => ({
    of: index === 0 ? `${name}, memory` : `${name}, memory beyond that`,
    unit: "MiB",
    atMost: atMostMiB,
    values: usages.map(({ peakMiB }, round) => peakMiB - (index === 0 ? 0 : (nodeMiB[round] ?? 0))),
  }));
  return [...meanFigures(times, seed), ...meanFigures(memory, seed)];
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  using directory = temporaryFolder("self");
  const defaultRun = join(directory.path, "run");
  onProgress("a default run to report");
  await runProgram(["bench", "--out", defaultRun, "--quiet"]);
  const lines = await linesFor(defaultRun);
  onProgress("filling the compile cache");
  for (const { words } of lines) await usageOf(words);
  const seen = lines.map(() => [] as Usage[]);
  for (let round = 1; round <= rounds; round += 1) {
    onProgress(`round ${round} of ${rounds}`);
    for (const [index, { words }] of lines.entries()) seen[index]?.push(await usageOf(words));
  }
  return figuresOf(
    lines.map((line, index) => ({ ...line, usages: seen[index] ?? [] })),
    seed,
  );
}

export const measure: Measure = {
  name: "program-start",
  title: "starting the program: processor time of all its threads, and how much memory it has at most",
  rounds: 10,
  run,
};
