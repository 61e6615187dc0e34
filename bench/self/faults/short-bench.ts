// A short run of `bench`, started as by a user, with its own folder for temporary files and a mark on all its processes.
import { analyse } from "@roundtrip/analysis";
import { RunError } from "@roundtrip/runs";
import type { Warning } from "@roundtrip/analysis";
import { readRun } from "@roundtrip/runs/read";
import { atExit, temporaryFolder } from "@roundtrip/runner/lifetime";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { markVariable } from "./processes.ts";

const program = join(import.meta.dirname, "..", "..", "..", "packages", "cli", "bin", "roundtrip.js");

/** Three rounds of REST and the floor: two servers and two clients each. */
const words = ["bench", "hello", "--stack", "rest-express", "--rounds", "3", "--calls", "60", "--budget", "60s"];

export interface BenchEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface ShortBench extends Disposable {
  readonly child: ChildProcess;
  readonly mark: string;
  readonly out: string;
  readonly ended: Promise<BenchEnd>;
  temporaryFiles(): readonly string[];
}

/** @param seed a whole number. Every fourth seed runs over a network of 1 ms, which uses namespaces or a relay. */
export function startShortBench(seed: number): ShortBench {
  const folder = temporaryFolder("faults");
  const temporary = join(folder.path, "tmp");
  mkdirSync(temporary);
  const out = join(folder.path, "run");
  const mark = folder.path;
  const link = (seed & 3) === 0 ? ["--link", "rtt=1"] : [];
  const args = [program, ...words, ...link, "--seed", String(seed >>> 1), "--warm-up", "1ms", "--quiet", "--out", out];
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    env: {
      ...process.env,
      TMPDIR: temporary,
      // The compile cache is permanent and shared.
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

/** The content of a run directory. */
export interface FaultedRun {
  readonly warnings: readonly Pick<Warning, "code" | "armId">[];
  /** The arms whose figures hold the time of a standstill, because it could not be measured again. */
  readonly standingStill: readonly string[];
  /** The mean latency of each arm, in ms. */
  readonly meanMs: ReadonlyMap<string, number>;
}

/** The arms of blocks in which a process stood still. */
function armsStandingStill(
  blocks: readonly { readonly armId: string; readonly disturbance?: { readonly kind: string } }[],
): readonly string[] {
  return blocks.filter(({ disturbance }) => disturbance?.kind === "stood-still").map(({ armId }) => armId);
}

/** The run in a directory: "absent" if nothing was kept, "unreadable" if it cannot be read. */
export async function keptRun(out: string): Promise<FaultedRun | "absent" | "unreadable"> {
  if (!existsSync(out)) return "absent";
  try {
    const { facts, samples } = await readRun(out);
    const { summaries, warnings } = analyse(facts, samples);
    const latencies = summaries.filter(({ metric }) => metric === "latencyMs");
    return {
      warnings,
      standingStill: armsStandingStill(facts.blocks),
      meanMs: new Map(latencies.map(({ armId, mean }) => [armId, mean])),
    };
  } catch (thrown) {
    if (thrown instanceof RunError) return "unreadable";
    throw thrown;
  }
}
