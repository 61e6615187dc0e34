// The line of an end of a link: packets leave no faster than its bandwidth. An emulator that stands behind it gets them one after the other.
import type { LinkSettings } from "../../study/link-settings.ts";
import { queueBytes } from "./queue.ts";
import { runAt } from "./run-at.ts";

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
