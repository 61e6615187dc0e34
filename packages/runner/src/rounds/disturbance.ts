// Decides whether something kept a block's processes from running, and whether to measure the block again. It uses the counters of the kernel and of
// the processes, never the duration of calls, so that no arm is measured again for being slow.
import type { Block, Disturbance, ProcessEvidence } from "@roundtrip/analysis";
import { tickMs } from "../evidence/machine-counters.ts";

/** A block that loses a larger share of its time is disturbed. */
const mostLostShare = 0.1;

/** A scheduler or a reading may take this long, however short the block is. */
const leastLostMs = 1;

/** Shorter waits may be for the system: a file, a page of memory. */
const leastStillMs = 100;

/** A process that stands still for this long makes the block void, whatever its length. */
const leastVoidMs = 1_000;

export type Disturbed = Pick<
  Block,
  "elapsedMs" | "serverCpuMs" | "clientCpuMs" | "server" | "client" | "serverLostMs" | "clientLostMs" | "machine"
>;

/** How long a due timer of a process was late while the process neither computed nor was ready to; garbage collection is computing. */
function stillMs(evidence: ProcessEvidence | undefined, cpuMs: number | null, lostMs = 0): number {
  const longestMs = evidence?.loopDelayMaxMs ?? 0;
  return cpuMs === null ? 0 : Math.max(0, longestMs - cpuMs - lostMs);
}

/**
 * The worst disturbance of a block; undefined if none took more than a tenth of its time, and no process stood still for a second.
 * @param isAlone false beside an emulated network, or other pairs: the run itself may keep a process from a core
 */
export function disturbanceOf(block: Disturbed, isAlone = true): Disturbance | undefined {
  const { elapsedMs, serverCpuMs, clientCpuMs, serverLostMs = 0, clientLostMs = 0, machine } = block;
  const stillOf = {
    server: stillMs(block.server, serverCpuMs, serverLostMs),
    client: stillMs(block.client, clientCpuMs, clientLostMs),
  };
  // If both stood still, the machine did.
  const leastStill = Math.min(stillOf.server, stillOf.client);
  // Counted in whole ticks; the last one may be almost empty.
  const stolenMs = Math.max(0, (machine?.mostStolenMs ?? 0) - tickMs);
  // The kernel counts waiting for a control group's next period as waiting for a core.
  const kindOf = (lostMs: number): Disturbance["kind"] =>
    2 * (machine?.throttledMs ?? 0) >= lostMs && lostMs > 0 ? "throttled" : "lost-core";
  const lost: readonly Disturbance[] = [
    { kind: kindOf(serverLostMs), process: "server", lostMs: serverLostMs },
    { kind: kindOf(clientLostMs), process: "client", lostMs: clientLostMs },
    { kind: "steal", lostMs: stolenMs },
  ];
  const still: readonly Disturbance[] = [
    { kind: "stood-still", lostMs: leastStill },
    { kind: "stood-still", process: "server", lostMs: stillOf.server },
    { kind: "stood-still", process: "client", lostMs: stillOf.client },
  ];
  const share = mostLostShare * elapsedMs;
  const beyond = [
    ...still.filter(({ lostMs }) => lostMs > Math.min(leastVoidMs, Math.max(share, leastStillMs))).slice(0, 1),
    ...lost.filter(({ lostMs }) => isAlone && lostMs > Math.max(share, leastLostMs)),
  ];
  return beyond.toSorted((one, other) => other.lostMs - one.lostMs)[0];
}

/**
 * Whether to measure a block again: only after a standstill of a second or more. Any limit that depends on the length of a block would clean short
 * blocks more often than long ones, and bend their ratio (docs/decisions/0205). @param isOpenLoop callers would have met the standstill too
 */
export function isVoid(disturbance: Disturbance | undefined, isOpenLoop: boolean): boolean {
  return disturbance?.kind === "stood-still" && disturbance.lostMs >= leastVoidMs && !isOpenLoop;
}
