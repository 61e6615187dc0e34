// The kernel's counters of a block: of its two processes, and of the machine. The runner reads them before and after the block, never during it.
import type { MachineEvidence, ResidentMemory } from "@roundtrip/runs";
import { present } from "../basics/present.ts";
import { lostMsBetween, processTimes, ranMsBetween, usedMs, type ProcessTimes } from "./process-cpu.ts";
import { watchMemory } from "./process-memory.ts";
import { cpuQuota, type CpuQuota, MachineCounters, type MachineTimes } from "./machine-counters.ts";

/** The processes that a block depends on; no server for a target. */
export interface BlockProcesses {
  readonly server: readonly number[];
  readonly client: readonly number[];
}

export interface BlockSetting {
  /** Whether nothing else of the run works meanwhile: only then is the machine's other time that of others. */
  readonly isAlone: boolean;
  /** Whether server and client may share a core. */
  readonly sharesCore: boolean;
}

/** See the members of `Block`. A counter that the kernel does not provide is absent. */
export interface KernelEvidence {
  readonly serverLostMs?: number;
  readonly clientLostMs?: number;
  readonly machine?: MachineEvidence;
  readonly serverMemory?: ResidentMemory;
  readonly clientMemory?: ResidentMemory;
}

interface Reading {
  readonly atMs: number;
  readonly machine: MachineTimes | undefined;
  readonly quota: CpuQuota | undefined;
  readonly server: ProcessTimes | undefined;
  readonly client: ProcessTimes | undefined;
  /** CPU time of the process that reads the counters. */
  readonly readerMs: number;
}

/** Milliseconds that one of the two processes ran; undefined if either reading does not have it. */
function ranBetween(
  before: Reading,
  after: Reading,
  of: "server" | "client",
  which?: "all" | "helpers",
): number | undefined {
  const [first, second] = [before[of], after[of]];
  return first && second && ranMsBetween(first, second, which);
}

function machineBetween(before: Reading, after: Reading): Omit<MachineEvidence, "waiting"> | undefined {
  const [server, client] = [ranBetween(before, after, "server"), ranBetween(before, after, "client")];
  if (before.machine === undefined || after.machine === undefined) return undefined;
  if (server === undefined || client === undefined) return undefined;
  // The counter can decrease when a guest moves to another host.
  const stealBefore = before.machine.stealMs;
  const stolenMs = after.machine.stealMs.map((stealMs, core) => Math.max(0, stealMs - (stealBefore[core] ?? stealMs)));
  return {
    cores: after.machine.cores,
    watchedMs: after.atMs - before.atMs,
    busyMs: after.machine.busyMs - before.machine.busyMs,
    ownMs: server + client + after.readerMs - before.readerMs,
    stealMs: stolenMs.reduce((sum, ms) => sum + ms, 0),
    mostStolenMs: Math.max(...stolenMs),
    ...(before.quota && after.quota
      ? { quotaCores: after.quota.cores, throttledMs: after.quota.throttledMs - before.quota.throttledMs }
      : {}),
  };
}

export class BlockCounters {
  readonly #proc: string | undefined;
  readonly #groups: string | undefined;
  readonly #machine: MachineCounters;

  /** For tests: @param proc the path of /proc @param groups the path of the control groups */
  constructor(proc?: string, groups?: string) {
    this.#proc = proc;
    this.#groups = groups;
    this.#machine = new MachineCounters(proc);
  }

  /** Reads the counters, and returns a function that reads them again and returns the difference. */
  open(processes: BlockProcesses, { isAlone, sharesCore }: BlockSetting): () => KernelEvidence {
    const [serverMemory, clientMemory] = [processes.server, processes.client].map((pids) =>
      watchMemory(pids, this.#proc),
    );
    const before = this.#reading(processes, isAlone);
    return () => {
      // Read first, because reading the rest makes this process runnable.
      const waiting = isAlone ? this.#machine.waiting() : undefined;
      const after = this.#reading(processes, isAlone);
      // V8's helpers may have any core.
      const beside = (peer: "server" | "client"): number =>
        ranBetween(before, after, peer, sharesCore ? "all" : "helpers") ?? 0;
      const lost = (of: "server" | "client", peer: "server" | "client"): number | undefined =>
        before[of] && after[of] && lostMsBetween(before[of], after[of], beside(peer));
      const machine = machineBetween(before, after);
      return present({
        serverLostMs: lost("server", "client"),
        clientLostMs: lost("client", "server"),
        machine: machine && present({ ...machine, waiting }),
        serverMemory: serverMemory?.(),
        clientMemory: clientMemory?.(),
      });
    };
  }

  #reading({ server, client }: BlockProcesses, isAlone: boolean): Reading {
    const readerMs = usedMs(process.cpuUsage());
    return {
      atMs: performance.now(),
      machine: isAlone ? this.#machine.times() : undefined,
      quota: isAlone ? cpuQuota(this.#proc, this.#groups) : undefined,
      server: processTimes(server, this.#proc),
      client: processTimes(client, this.#proc),
      readerMs,
    };
  }
}
