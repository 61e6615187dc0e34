// Which congestion controls this machine's kernel has: tried out on a route in a namespace that goes at once, since asking for one may bring it.
import { readFile } from "node:fs/promises";
import { unshared } from "./private-namespaces.ts";
import { ending } from "./tools.ts";

// Of the addresses that are for documentation: nothing is ever sent there.
const script = 'ip link set lo up; ip route add 192.0.2.1/32 dev lo congctl "$1"';

/** The names of those that are loaded, by the kernel's own list. */
async function loaded(): Promise<string> {
  const names = await readFile("/proc/sys/net/ipv4/tcp_available_congestion_control", "utf8").catch(() => "");
  return names.trim().replaceAll(" ", ", ");
}

/** Why there is no such congestion control; undefined where there is. */
export async function whyNoCongestionControl(name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { ok } = await ending([...unshared(), "sh", "-c", script, "sh", name]);
  return ok ? undefined : `this kernel has no congestion control "${name}" (it has ${await loaded()})`;
}
