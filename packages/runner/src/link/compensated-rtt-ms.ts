// Compensates the lateness of emulators: their timers are late, and so is a machine that wakes up for each packet. It is subtracted from the delay.
import type { LinkSettings } from "../study/link-settings.ts";
import { ping, type ProbePath } from "./probe.ts";
import { expectedRttMs } from "./self-check.ts";

/** More lateness than timers and wake-ups cause is a fault that must not be hidden. */
const mostMs = 1.5;

/**
 * The round-trip time to set on an emulator in order to get the requested one, by the fastest of a few round trips:
 * delays of a busy machine are not the emulator's. `path` goes through an emulator that is set to the requested time.
 */
export async function compensatedRttMs(path: ProbePath, settings: LinkSettings, signal: AbortSignal): Promise<number> {
  if (settings.rttMs === 0) return 0;
  const { leastRttMs } = await ping(path, signal);
  const lateMs = leastRttMs - expectedRttMs(settings);
  return lateMs > 0 && lateMs <= mostMs ? Math.max(settings.rttMs - lateMs, 0) : settings.rttMs;
}
