// The line of an end of a link: packets leave no faster than its bandwidth. An emulator that stands behind it gets them one after the other.
import type { LinkSettings } from "../../study/link-settings.ts";
import { runAt } from "./tools.ts";

/** What a queue holds, in seconds of the bandwidth: what home routers have, and never what limits a window. */
const queueS = 0.25;
const leastBytes = 65_536;

/** Bytes that may wait for a link of this bandwidth, in each direction. */
export function queueBytes(bandwidthMbps: number): number {
  return Math.max(leastBytes, Math.ceil((bandwidthMbps * 1e6 * queueS) / 8));
}

/** What may leave at once: some twenty packets, which no emulator's buffer minds. */
const burstBytes = 32_768;

/**
 * Makes a device as fast as the link's bandwidth, by tc-tbf(8); leaves it alone without one. TCP sends whole windows at once, and rattan's
 * socket holds some ninety packets (`net.core.rmem_default`, which belongs to the machine): what comes faster than it reads would be lost
 * on a link without loss. Rejects where the kernel has no token bucket, or there is no `tc`.
 */
export async function paceLine(
  enter: readonly string[],
  device: string,
  { bandwidthMbps }: Pick<LinkSettings, "bandwidthMbps">,
): Promise<void> {
  if (bandwidthMbps === undefined) return;
  const rate = ["rate", `${Math.round(bandwidthMbps * 1000)}kbit`, "burst", String(burstBytes)];
  const bucket = [...rate, "limit", String(queueBytes(bandwidthMbps))];
  await runAt(enter, ["tc", "qdisc", "replace", "dev", device, "root", "tbf", ...bucket]);
}
