// Emulators are late: their timers are, and so is a machine that has to wake up for each packet. What is late is taken off the delay.
import type { LinkSettings } from "../study/link-settings.ts";
import { ping, type ProbePath } from "./probe.ts";
import { expectedRttMs } from "./self-check.ts";

/** More than timers and wake-ups are late is a fault, and not to be hidden. */
const mostMs = 1.5;

/**
 * The round-trip time that an emulator has to be told for the one that was asked for to come out, judged by the fastest of a few bytes: what
 * is late because the machine was busy is no lateness of the emulator. `path` goes through an emulator that was told what was asked for.
 */
export async function compensatedRttMs(path: ProbePath, settings: LinkSettings, signal: AbortSignal): Promise<number> {
  if (settings.rttMs === 0) return 0;
  const { leastRttMs } = await ping(path, signal);
  const lateMs = leastRttMs - expectedRttMs(settings);
  return lateMs > 0 && lateMs <= mostMs ? Math.max(settings.rttMs - lateMs, 0) : settings.rttMs;
}
