// The kernel's TCP at the ends of a link, as it is asked for: sysctls and routes of the link's own namespaces, and of nothing else.
import { setTimeout as sleep } from "node:timers/promises";
import { RunnerError } from "../../runner-error.ts";
import type { LinkSettings } from "../link-settings.ts";
import { runAt } from "./run-at.ts";

const routeWithinMs = 5_000;
const pollMs = 20;

/** Waits for the route to the other end and gives the device that it goes by. */
async function deviceTo(enter: readonly string[], address: string): Promise<string> {
  const giveUpAt = performance.now() + routeWithinMs;
  while (performance.now() < giveUpAt) {
    const routes = await runAt(enter, ["ip", "-4", "route", "show", `${address}/32`]);
    const device = / dev (\S+)/.exec(routes)?.[1];
    if (device !== undefined) return device;
    await sleep(pollMs);
  }
  throw new RunnerError("link-unavailable", `the link has no route to ${address}`);
}

async function write(enter: readonly string[], name: string, value: string): Promise<void> {
  // The path says which namespace's value is meant: that of whoever opens it.
  const path = `/proc/sys/net/ipv4/${name}`;
  await runAt(enter, ["sh", "-c", 'printf %s "$2" > "$1"', "sh", path, value]);
}

/**
 * Sets the TCP of one end. `window` on a route caps what the end says it can receive, and `congctl` chooses its congestion control
 * (ip-route(8)); both hold for connections that are opened from then on.
 * Rejects with a RunnerError `link-unavailable` when the kernel does not have what is asked for.
 */
export async function setTcp(enter: readonly string[], other: string, settings: LinkSettings): Promise<void> {
  const { congestionControl, receiveWindowBytes, windowScaling, slowStartAfterIdle } = settings;
  const device = await deviceTo(enter, other);
  if (!windowScaling) await write(enter, "tcp_window_scaling", "0");
  await write(enter, "tcp_slow_start_after_idle", slowStartAfterIdle ? "1" : "0");
  // What one run learns of a path must not show in the next connection's first window.
  await write(enter, "tcp_no_metrics_save", "1");
  const metrics = [
    ...(receiveWindowBytes === undefined ? [] : ["window", String(receiveWindowBytes)]),
    ...(congestionControl === undefined ? [] : ["congctl", congestionControl]),
  ];
  if (metrics.length > 0)
    await runAt(enter, ["ip", "-4", "route", "replace", `${other}/32`, "dev", device, ...metrics]);
}
