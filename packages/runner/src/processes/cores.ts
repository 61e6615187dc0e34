// Pins processes to cores: client and server get one each, if the machine has two. They start on any core and are pinned before they warm up, because
// starting is not measured.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, platform } from "node:os";
import { readAllowedCores } from "../evidence/machine-counters.ts";
import { helpersOf } from "../evidence/process-cpu.ts";

export interface Placement {
  readonly server: number | undefined;
  readonly client: number | undefined;
  /** All cores except the client's, for servers that compute on threads; with two cores, only the server's. */
  readonly allButClient: readonly number[] | undefined;
}

const pinAttempts = 5;

function runOn(allowed: string, id: number | string, ...options: readonly string[]): boolean {
  const args = [...options, "--cpu-list", "--pid", allowed, String(id)];
  return spawnSync("taskset", args, { stdio: "ignore" }).status === 0;
}

/**
 * Pins the threads of a process to one or more cores, and returns whether that was possible; does nothing without a core. V8's helpers keep every core of
 * this process: on their main thread's they hold it up, which no user's machine does (docs/decisions/0247). `taskset` fails if a thread ends while it
 * iterates over them, so it may take another attempt. If the process has ended, the next request to it fails.
 */
export function pin(pid: number | undefined, core: number | readonly number[] | undefined): boolean {
  if (pid === undefined || core === undefined) return false;
  const tries = Array.from({ length: pinAttempts });
  if (!tries.some(() => runOn(String(core), pid, "--all-tasks"))) return false;
  const all = readAllowedCores(readFileSync("/proc/self/status", "utf8")) ?? [];
  // One that has ended since needs no core.
  if (pid !== process.pid) for (const id of helpersOf(pid)) runOn(String([...all]), id);
  return true;
}

/** The placement of processes on this machine, and its description for reports. */
export interface Placements {
  readonly words: string;
  /** The description for a run with targets only. */
  readonly wordsOfClients: string;
  /** The description for servers that compute on threads. */
  readonly wordsOfThreads: string;
  /** Servers and clients swap cores from round to round, so that no core's neighbour favours one side. */
  ofRound(round: number): Placement;
}

function cores(): readonly number[] {
  if (platform() !== "linux" || availableParallelism() < 2) return [];
  const all = [...(readAllowedCores(readFileSync("/proc/self/status", "utf8")) ?? [])];
  // A sandbox may forbid it, and a small taskset may not know all threads: tried with what this process has anyway.
  return pin(process.pid, all) ? all : [];
}

/** Decides once per run. Without `taskset` or a second core the operating system decides; `words` says so. @param all the cores of this machine */
export function placements(all: readonly number[] = cores()): Placements {
  const [a, b] = all;
  if (a === undefined || b === undefined) {
    const words = "left to the operating system";
    return {
      words,
      wordsOfClients: words,
      wordsOfThreads: words,
      ofRound: () => ({ server: undefined, client: undefined, allButClient: undefined }),
    };
  }
  return {
    words: `servers and clients pinned to cores ${a} and ${b}, swapped every round`,
    wordsOfClients: `clients pinned to cores ${b} and ${a} in turn, round by round`,
    wordsOfThreads:
      all.length === 2
        ? "servers that compute on threads have one core, as the client has the other: threads gain nothing here"
        : `servers that compute on threads have the ${all.length - 1} cores that are not their client's`,
    ofRound: (round) => {
      const [server, client] = round % 2 === 0 ? [a, b] : [b, a];
      return { server, client, allButClient: all.filter((core) => core !== client) };
    },
  };
}
