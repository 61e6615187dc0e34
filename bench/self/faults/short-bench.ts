// A short run of `bench`, as a user starts it, in a folder of its own for temporary files, with a mark on all that it starts.
import { RunnerError, readRun } from "@roundtrip/runner";
import { atExit, temporaryFolder } from "@roundtrip/runner/lifetime";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { markVariable } from "./processes.ts";

const program = join(import.meta.dirname, "..", "..", "..", "packages", "cli", "bin", "roundtrip.js");

/** Three rounds of REST beside the floor: two servers and two clients each. */
const words = ["bench", "hello", "--stack", "rest-express", "--rounds", "3", "--calls", "60", "--budget", "60s"];

export interface BenchEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface ShortBench extends Disposable {
  readonly child: ChildProcess;
  readonly mark: string;
  /** Where it keeps its run. */
  readonly out: string;
  readonly ended: Promise<BenchEnd>;
  /** What is in its folder for temporary files. */
  temporaryFiles(): readonly string[];
}

/** @param seed any whole number; every fourth is of a run over a network of 1 ms, which has namespaces or a relay. */
export function startShortBench(seed: number): ShortBench {
  const folder = temporaryFolder("faults");
  const temporary = join(folder.path, "tmp");
  mkdirSync(temporary);
  const out = join(folder.path, "run");
  const mark = folder.path;
  const link = (seed & 3) === 0 ? ["--rtt", "1"] : [];
  const args = [program, ...words, ...link, "--seed", String(seed >>> 1), "--warm-up", "1ms", "--quiet", "--out", out];
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    env: {
      ...process.env,
      TMPDIR: temporary,
      // It is meant to last, and to be shared.
      NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
      [markVariable]: mark,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const end = atExit(() => child.kill("SIGKILL"));
  const ended = Promise.all([text(child.stderr), once(child, "close")]).then(([stderr, [status, signal]]) => ({
    status: status as number | null,
    signal: signal as NodeJS.Signals | null,
    stderr,
  }));
  return {
    child,
    mark,
    out,
    ended,
    temporaryFiles: () => readdirSync(temporary),
    [Symbol.dispose]() {
      end[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** `armId` is absent where a warning concerns the whole run. */
export interface KeptWarning {
  readonly code: string;
  readonly armId?: string;
}

/** What a run directory says of a run. */
export interface FaultedRun {
  readonly isComplete: boolean;
  readonly warnings: readonly KeptWarning[];
  /** The arm of each void block, without those that only lost their core: a busy machine has these without any fault. */
  readonly voidArms: readonly string[];
  /** Mean latency of each arm as it is reported, in ms. */
  readonly meanMs: ReadonlyMap<string, number>;
}

interface KeptBlock {
  readonly armId: string;
  readonly disturbance?: { readonly kind: string };
}

const ofBusyMachine = new Set<string | undefined>(["lost-core", "steal", "throttled"]);

/** The arms of void blocks that a fault may have made. */
export function armsOfVoid(blocks: readonly KeptBlock[]): readonly string[] {
  return blocks.filter(({ disturbance }) => !ofBusyMachine.has(disturbance?.kind)).map(({ armId }) => armId);
}

interface RunFile {
  readonly summaries?: readonly { readonly armId: string; readonly metric: string; readonly mean: number }[];
  readonly warnings: readonly KeptWarning[];
  readonly voidBlocks?: readonly KeptBlock[];
}

/** The run in a directory: "absent" where nothing was kept, "unreadable" where something was and cannot be read. */
export async function keptRun(out: string): Promise<FaultedRun | "absent" | "unreadable"> {
  if (!existsSync(out)) return "absent";
  try {
    const { facts } = await readRun(out);
    const file = JSON.parse(readFileSync(join(out, "run.json"), "utf8")) as RunFile;
    const latencies = (file.summaries ?? []).filter(({ metric }) => metric === "latencyMs");
    return {
      isComplete: facts.status === "complete",
      warnings: file.warnings,
      voidArms: armsOfVoid(file.voidBlocks ?? []),
      meanMs: new Map(latencies.map(({ armId, mean }) => [armId, mean])),
    };
  } catch (thrown) {
    if (thrown instanceof RunnerError || thrown instanceof SyntaxError) return "unreadable";
    throw thrown;
  }
}
