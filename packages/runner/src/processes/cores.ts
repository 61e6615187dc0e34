// Which processor core a process runs on: client and server get one each, where the machine has two. They start wherever there is
// room and are pinned before they warm up: starting is no part of what is measured.
import { execFileSync, spawnSync } from "node:child_process";
import { availableParallelism, platform } from "node:os";

/** Where servers and clients run. */
export interface Placement {
  readonly server: number | undefined;
  readonly client: number | undefined;
}

const pinAttempts = 5;

/**
 * Pins all threads of a process to a core; does nothing when the kernel is to decide. `taskset` gives up when a thread ends while it goes
 * through them, so it may take another attempt; that a process has gone is told by the next question to it.
 */
export function pin(pid: number | undefined, core: number | undefined): void {
  if (pid === undefined || core === undefined) return;
  const args = ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)];
  for (let attempt = 0; attempt < pinAttempts; attempt += 1) {
    if (spawnSync("taskset", args, { stdio: "ignore" }).status === 0) return;
  }
}

/** How processes are placed on this machine, and the same in words for reports. */
export interface Placements {
  readonly words: string;
  /** The same for a run whose servers are all elsewhere. */
  readonly wordsOfClients: string;
  /** Servers and clients swap cores from round to round: no core's neighbour favours one side. */
  ofRound(round: number): Placement;
}

function cores(): readonly number[] {
  if (platform() !== "linux" || availableParallelism() < 2) return [];
  try {
    // "pid 1's current affinity list: 0-3,6"
    const list =
      execFileSync("taskset", ["-cp", String(process.pid)], { encoding: "utf8" })
        .split(":")
        .at(-1) ?? "";
    return list.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.trim().split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
  } catch {
    return [];
  }
}

/** Decides once per run. Without `taskset` or a second core the kernel decides, and the words say so. */
export function placements(): Placements {
  const [a, b] = cores();
  if (a === undefined || b === undefined) {
    const words = "left to the operating system";
    return {
      words,
      wordsOfClients: words,
      ofRound: () => ({ server: undefined, client: undefined }),
    };
  }
  return {
    words: `servers and clients pinned to cores ${a} and ${b}, swapped every round`,
    wordsOfClients: `clients pinned to cores ${b} and ${a} in turn, round by round`,
    ofRound: (round) => (round % 2 === 0 ? { server: a, client: b } : { server: b, client: a }),
  };
}
