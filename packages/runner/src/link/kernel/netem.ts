// The kernel's own network emulator: https://man7.org/linux/man-pages/man8/tc-netem.8.html
import type { LinkSettings } from "../../study/link-settings.ts";
import type { NamespaceScript } from "./private-namespaces.ts";
import { queueBytes } from "./paced-line.ts";

/** Packets under way in each direction: far more than any window, because an overflowing queue would be loss. */
const unlimitedPackets = 100_000;
const packetBytes = 1_500;

/** Netem uses one queue for delayed packets and for those that wait for bandwidth. */
function limitPackets({ rttMs, bandwidthMbps }: LinkSettings): number {
  if (bandwidthMbps === undefined) return unlimitedPackets;
  const delayedBytes = (bandwidthMbps * 1e6 * (rttMs / 2000)) / 8;
  return Math.ceil((delayedBytes + queueBytes(bandwidthMbps)) / packetBytes);
}

/** The emulation of one direction, as arguments of `tc qdisc add … netem`. */
function netemArgs(settings: LinkSettings): readonly string[] {
  const { rttMs, bandwidthMbps, loss } = settings;
  return [
    "limit",
    String(limitPackets(settings)),
    "delay",
    `${Math.round((rttMs / 2) * 1000)}us`,
    ...(loss === 0 ? [] : ["loss", "random", `${Number((loss * 100).toPrecision(6))}%`]),
    ...(bandwidthMbps === undefined ? [] : ["rate", `${Math.round(bandwidthMbps * 1000)}kbit`]),
  ];
}

// Segmentation offload is off: netem would delay 64 KB at a time like one packet.
const script = `
left=$1; right=$2; shift 2
ip netns add ns-left; ip netns add ns-right
ip link add vL netns ns-left type veth peer name vR netns ns-right
end() {
  ip -n "$1" link set lo up
  ip -n "$1" addr add "$3/32" dev "$2"
  ip -n "$1" link set "$2" gso_max_segs 1 up
  tc -n "$1" qdisc add dev "$2" root netem $netem
  ip -n "$1" route add "$4/32" dev "$2"
}
netem="$*"
end ns-left vL "$left" "$right"; end ns-right vR "$right" "$left"`;

export function netemScript(left: string, right: string, settings: LinkSettings): NamespaceScript {
  return { script, args: [left, right, ...netemArgs(settings)], input: "" };
}
