// The emulators of a distance: netem in the kernel, and rattan for kernels without it. Both emulate one and the same network.
import type { NamespaceScript } from "./namespaces.ts";
import { runAt } from "./tools.ts";
import type { LinkSettings } from "../../study/link-settings.ts";

/** The size of a queue in seconds of the bandwidth: as in home routers, and never what limits a window. */
const queueS = 0.25;
const leastBytes = 65_536;

/** In each direction. */
function queueBytes(bandwidthMbps: number): number {
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
  commandPrefix: readonly string[],
  device: string,
  { bandwidthMbps }: Pick<LinkSettings, "bandwidthMbps">,
): Promise<void> {
  if (bandwidthMbps === undefined) return;
  const rate = ["rate", `${Math.round(bandwidthMbps * 1000)}kbit`, "burst", String(burstBytes)];
  const bucket = [...rate, "limit", String(queueBytes(bandwidthMbps))];
  await runAt(commandPrefix, ["tc", "qdisc", "replace", "dev", device, "root", "tbf", ...bucket]);
}

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

interface Cell {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The cells for packets of one direction. Only those needed, because each costs every packet a queue. */
function cellsOf(direction: "up" | "down", { rttMs, bandwidthMbps, loss }: LinkSettings): readonly Cell[] {
  const cell = (name: string, ...lines: string[]): Cell => ({ name: `${direction}_${name}`, lines });
  const delay = cell("delay", 'type = "Delay"', `delay = "${Math.round((rttMs / 2) * 1000)}us"`);
  const lossy = loss === 0 ? [] : [cell("loss", 'type = "Loss"', `pattern = [${loss}]`)];
  if (bandwidthMbps === undefined) return [...lossy, delay];
  const bandwidth = cell(
    "bandwidth",
    'type = "Bw"',
    `bandwidth = "${Math.round(bandwidthMbps * 1000)}Kbps"`,
    'queue = "DropTail"',
    `queue_config = { byte_limit = ${queueBytes(bandwidthMbps)} }`,
  );
  return [...lossy, bandwidth, delay];
}

function path(from: string, cells: readonly Cell[], to: string): readonly string[] {
  const stations = [from, ...cells.map(({ name }) => name), to];
  return stations.slice(1).map((station, index) => `${stations[index]} = "${station}"`);
}

export function rattanConfig(settings: LinkSettings): string {
  const up = cellsOf("up", settings);
  const down = cellsOf("down", settings);
  return [
    "[env]",
    'mode = "Isolated"',
    ...[...up, ...down].flatMap(({ name, lines }) => [`[cells.${name}]`, ...lines]),
    "[links]",
    ...path("left", up, "right"),
    ...path("right", down, "left"),
    "[commands]",
    // The link ends when these do.
    'left = ["sleep", "infinity"]',
    'right = ["sleep", "infinity"]',
    "",
  ].join("\n");
}

// Rattan's sockets have the machine's default size, about ninety packets. A flight of a few hundred, which TCP sends at once, would overflow them and
// lose packets on a link without loss.

/**
 * Enlarges the sockets of a process, found by its name, from outside: `pidfd_getfd(2)` duplicates a socket, and SO_RCVBUFFORCE requires root. The
 * exit status is 1 without root, or if Linux is older than 5.6. Perl, because every distribution has it and it can make system calls.
 */
export const enlargeSocketsScript = `
my ($name, $wanted, $bytes) = @ARGV;
my ($found, $seen) = (0, 0);
for (1 .. 500) {
  for my $process (glob "/proc/[0-9]*") {
    open(my $file, "<", "$process/comm") or next;
    next if <$file> ne "$name\\n";
    my ($pid) = $process =~ /(\\d+)$/;
    my $handle = syscall(434, $pid + 0, 0);
    next if $handle < 0;
    ($found, $seen) = (0, 0);
    for my $link (glob "$process/fd/*") {
      next if (readlink($link) // "") !~ /^socket:/;
      my ($number) = $link =~ /(\\d+)$/;
      my $copy = syscall(438, $handle, $number + 0, 0);
      next if $copy < 0;
      open(my $socket, "+<&=", $copy) or next;
      my $domain = getsockopt($socket, 1, 39) // next;
      next if unpack("i", $domain) != 17;
      $seen++;
      $found++ if setsockopt($socket, 1, 33, pack("i", $bytes));
    }
    open(my $closed, "<&=", $handle) and close $closed;
  }
  last if $seen >= $wanted;
  select(undef, undef, undef, 0.01);
}
exit($found >= $wanted ? 0 : 1);
`;

/** More than the largest flight that any window here allows. */
export const bufferBytes = 64 * 2 ** 20;
