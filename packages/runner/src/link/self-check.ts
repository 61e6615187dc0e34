// Checks a link before anything is measured over it: its distance, its loss, and the slow start of TCP.
import { setTimeout as sleep } from "node:timers/promises";
import { RunnerError } from "../basics/runner-error.ts";
import type { LinkEnd } from "./link.ts";
import type { LinkSettings } from "../study/link-settings.ts";
import { datagramsFor, lossFault, noDatagrams, type DatagramPlan } from "./loss-check.ts";
import { bulkBytes, probe, type ProbeFacts, type ProbePath, ping } from "./probe.ts";

const relativeTolerance = 0.02;
const absoluteToleranceMs = 0.3;
/** At smaller distances, the run time of processes hides round trips. */
const leastRttMsToCount = 10;
/** Ten segments at first, doubled with each round trip (RFC 6928): 14, 29, 58, 117 KB, and the rest of 277 KB. */
const leastRoundTripsOfColdBulk = 4;
/** Bursts on a shared machine pass, so the intervals between attempts grow. */
const attempts = 12;
const patienceMs = 200;
/** After this many attempts a median that is too long is accepted. */
const calmAttempts = 3;
/** One byte with the headers of Ethernet, IP and TCP. */
const pingBytes = 67;

function transmissionMs(bytes: number, { bandwidthMbps }: LinkSettings): number {
  return bandwidthMbps === undefined ? 0 : (bytes * 8) / (bandwidthMbps * 1000);
}

/** The expected round-trip time of one byte, including transmission. */
function expectedRttMs(settings: LinkSettings): number {
  return settings.rttMs + 2 * transmissionMs(pingBytes, settings);
}

function toleranceMs(expectedMs: number): number {
  return expectedMs * relativeTolerance + absoluteToleranceMs;
}

/**
 * How the round trip differs from the requested one; undefined if it does not. The fastest round trip is that of the link. A longer median on a busy
 * machine is measured, and is not a fault of the link.
 */
function distanceFault(settings: LinkSettings, { leastRttMs }: ProbeFacts): string | undefined {
  const asked = expectedRttMs(settings);
  if (Math.abs(leastRttMs - asked) <= toleranceMs(asked)) return undefined;
  return `its round trip takes ${leastRttMs.toFixed(2)} ms and not ${asked.toFixed(2)} ms`;
}

/** What is inconsistent with a connection of the kernel; undefined if nothing is. */
function tcpFault(settings: LinkSettings, { connectMs, coldBulkMs }: ProbeFacts): string | undefined {
  const { rttMs, loss } = settings;
  const canCount = rttMs >= leastRttMsToCount;
  if (connectMs < rttMs - toleranceMs(rttMs) || (canCount && loss === 0 && connectMs > 2 * rttMs)) {
    return `opening a connection takes ${connectMs.toFixed(2)} ms, which is not one round trip of ${rttMs} ms`;
  }
  if (canCount && coldBulkMs < leastRoundTripsOfColdBulk * rttMs) {
    return `277 KB on a new connection take ${coldBulkMs.toFixed(1)} ms, fewer than ${leastRoundTripsOfColdBulk} round trips: this is not the kernel's TCP`;
  }
  if (coldBulkMs < transmissionMs(bulkBytes, settings)) {
    return `277 KB take ${coldBulkMs.toFixed(1)} ms, which is faster than ${settings.bandwidthMbps} Mbit/s`;
  }
  return undefined;
}

/** What is inconsistent with a delaying relay; undefined if nothing is. */
function relayFault(settings: LinkSettings, { firstExchangeMs }: ProbeFacts): string | undefined {
  const { rttMs } = settings;
  const isLater = firstExchangeMs >= 2 * rttMs - toleranceMs(rttMs);
  if (isLater && (rttMs < leastRttMsToCount || firstExchangeMs < 3 * rttMs)) return undefined;
  return `the first exchange on a connection takes ${firstExchangeMs.toFixed(2)} ms, which is not two round trips of ${rttMs} ms`;
}

interface LinkCheck {
  readonly path: ProbePath;
  readonly settings: LinkSettings;
  readonly signal: AbortSignal;
  /** Each returns the first difference from the settings; undefined if there is none. */
  readonly faults: readonly ((settings: LinkSettings, seen: ProbeFacts) => string | undefined)[];
  readonly datagrams: DatagramPlan;
}

/**
 * Probes until no fault is found, and a little longer if the machine was too busy for the median to show the link's own round trip. Resolves to the
 * lowest median round-trip time; rejects with a RunnerError `link-faulty`.
 */
async function checked({ path, settings, signal, faults, datagrams }: LinkCheck): Promise<number> {
  const asked = expectedRttMs(settings);
  let fault: string | undefined = "";
  let plan = datagrams;
  let leastMedianMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await sleep(attempt * patienceMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    const seen = await probe(path, signal, plan);
    const lossy = lossFault(settings, seen.datagrams);
    // One good count suffices, because counting on a link with loss is slow.
    if (lossy === undefined) plan = noDatagrams;
    const found = lossy ?? faults.map((faultOf) => faultOf(settings, seen)).find((why) => why !== undefined);
    if (found === undefined) leastMedianMs = Math.min(leastMedianMs, seen.rttMs);
    const isCalm = leastMedianMs <= asked + toleranceMs(asked);
    if (isCalm || (leastMedianMs < Number.POSITIVE_INFINITY && attempt + 1 >= calmAttempts)) return leastMedianMs;
    fault = found ?? fault;
  }
  throw new RunnerError("link-faulty", `the link differs from its settings: ${fault}`);
}

/** Resolves to the round-trip time of a kernel link. Rejects with a RunnerError `link-faulty` if it differs from its settings, and on abort. */
export function checkKernelLink(
  ends: { readonly client: LinkEnd; readonly server: LinkEnd },
  settings: LinkSettings,
  signal: AbortSignal,
): Promise<number> {
  return checked({
    path: { ...ends, reach: (port) => Promise.resolve(port) },
    settings,
    signal,
    faults: [distanceFault, tcpFault],
    datagrams: datagramsFor(settings),
  });
}

/** Measures a relay, as {@link checkKernelLink} does a link of the kernel. `reach` returns the relay's port for a server's port. */
export function checkRelay(
  end: LinkEnd,
  reach: (port: number) => Promise<number>,
  settings: LinkSettings,
  signal: AbortSignal,
): Promise<number> {
  return checked({
    path: { client: end, server: end, reach },
    settings,
    signal,
    faults: [distanceFault, relayFault],
    datagrams: noDatagrams,
  });
}

/** More lateness than timers and wake-ups cause is a fault that must not be hidden. */
const mostMs = 1.5;

/**
 * The round-trip time to set on an emulator to get the requested one. It uses the fastest of a few round trips, because delays of a busy machine are
 * not the emulator's. `path` leads through an emulator that is set to the requested time.
 */
export async function compensatedRttMs(path: ProbePath, settings: LinkSettings, signal: AbortSignal): Promise<number> {
  if (settings.rttMs === 0) return 0;
  const { leastRttMs } = await ping(path, signal);
  const lateMs = leastRttMs - expectedRttMs(settings);
  return lateMs > 0 && lateMs <= mostMs ? Math.max(settings.rttMs - lateMs, 0) : settings.rttMs;
}
