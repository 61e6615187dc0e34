// Limits the bandwidth at an end of a link, so that an emulator behind it gets packets one after the other.
import type { LinkSettings } from "../../study/link-settings.ts";
import { runAt } from "./tools.ts";

/** The size of a queue in seconds of the bandwidth: as in home routers, and never what limits a window. */
const queueS = 0.25;
const leastBytes = 65_536;

/** In each direction. */
export function queueBytes(bandwidthMbps: number): number {
  return Math.max(leastBytes, Math.ceil((bandwidthMbps * 1e6 * queueS) / 8));
}

/** The burst size: about twenty packets, which fit into the buffer of any emulator. */
const burstBytes = 32_768;

/**
 * Limits a device to the link's bandwidth by tc-tbf(8); does nothing without a bandwidth. TCP sends whole windows at once, and rattan's socket holds
 * about ninety packets (`net.core.rmem_default`, a setting of the machine). Faster bursts would lose packets on a link without loss. Rejects if the
 * kernel has no token bucket, or `tc` is missing.
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
