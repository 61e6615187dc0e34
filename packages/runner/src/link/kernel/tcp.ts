// The kernel's TCP at the ends of a link: configured by sysctls and routes of the link's own namespaces, and its statistics after a block.
import { readFile } from "node:fs/promises";
import { release } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { LeftOutReason, TcpEnd, TcpEvidence } from "@roundtrip/runs";
import { RunnerError } from "../../basics/runner-error.ts";
import { unshared } from "./namespaces.ts";
import { commandResult, programPath, runAt } from "./tools.ts";
import type { LinkSettings } from "../../study/link-settings.ts";

// A documentation address: nothing is ever sent there.
const congestionScript = 'ip link set lo up; ip route add 192.0.2.1/32 dev lo congctl "$1"';

async function loadedControls(): Promise<readonly string[]> {
  const names = await readFile("/proc/sys/net/ipv4/tcp_available_congestion_control", "utf8").catch(() => "");
  return names.trim().split(" ");
}

/** The congestion control if this kernel lacks it. A route in a temporary namespace tests it: a request may load its module. */
export async function missingCongestionControl({
  congestionControl: name,
}: Pick<LinkSettings, "congestionControl">): Promise<LeftOutReason | undefined> {
  if (name === undefined) return undefined;
  const { ok } = await commandResult([...unshared(), "sh", "-c", congestionScript, "sh", name]);
  return ok ? undefined : { code: "no-congestion-control", name, known: await loadedControls() };
}

/** The control of a link that asks for none: BBR paces what goes beyond two segments, so that an answer of three takes 4 % of a round trip more. */
async function usualControl(): Promise<string> {
  return (await loadedControls()).includes("cubic") ? "cubic" : "reno";
}

const routeWithinMs = 5_000;
const pollMs = 20;

/** Waits for the route to the other end and returns its device. */
async function deviceTo(commandPrefix: readonly string[], address: string): Promise<string> {
  const giveUpAt = performance.now() + routeWithinMs;
  while (performance.now() < giveUpAt) {
    const routes = await runAt(commandPrefix, ["ip", "-4", "route", "show", `${address}/32`]);
    const device = / dev (\S+)/.exec(routes)?.[1];
    if (device !== undefined) return device;
    await sleep(pollMs);
  }
  throw new RunnerError("link-unavailable", `the link has no route to ${address}`);
}

async function mtuBytesOf(commandPrefix: readonly string[], device: string): Promise<number> {
  const shown = await runAt(commandPrefix, ["ip", "-o", "link", "show", "dev", device]);
  return Number(/ mtu (\d+)/.exec(shown)?.[1] ?? 0);
}

async function write(commandPrefix: readonly string[], name: string, value: string): Promise<void> {
  // The path depends on the namespace of the process that opens it.
  const path = `/proc/sys/net/ipv4/${name}`;
  await runAt(commandPrefix, ["sh", "-c", 'printf %s "$2" > "$1"', "sh", path, value]);
}

// Linux lets a window grow to about half the memory limit of a connection: by default 4 MiB for sending.
const usualWindowBytes = 2 * 2 ** 20;

/**
 * Memory that the kernel counts per byte of a window. Since Linux 6.6 it is what an Ethernet packet is seen to take (2,304 bytes for 1,448; the
 * window follows it, whatever a route clamps), before that twice its size (tcp_adv_win_scale). @param kernel its release, such as 6.6.1
 */
export function memoryPerByte(kernel: string): number {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 6 || (major === 6 && minor >= 6) ? 2_304 / 1_448 : 2;
}

/** The kernel's default for the largest buffer of a receiver. */
const usualMemory = 6 * 2 ** 20;

function memoryFor(windowBytes: number): number {
  return Math.round(windowBytes * memoryPerByte(release()));
}

/**
 * Automatic buffer tuning would exceed the window clamp of a route (tcp_rcv_space_adjust), so receivers get a fixed size. The sender needs a buffer
 * for all bytes under way. A first flight needs a receiver that takes it.
 */
async function raiseBufferLimits(
  commandPrefix: readonly string[],
  { receiveWindowBytes: windowBytes, initialWindowSegments }: LinkSettings,
): Promise<void> {
  if (windowBytes !== undefined) {
    const memory = memoryFor(windowBytes);
    await write(commandPrefix, "tcp_rmem", `4096 ${memory} ${memory}`);
    if (windowBytes > usualWindowBytes) await write(commandPrefix, "tcp_wmem", `4096 16384 ${4 * windowBytes}`);
  } else if (initialWindowSegments !== undefined) {
    const memory = memoryFor(initialWindowSegments * segmentBytes);
    await write(commandPrefix, "tcp_rmem", `4096 ${memory} ${Math.max(memory, usualMemory)}`);
  }
}

/** The largest payload of a segment over Ethernet. */
const segmentBytes = 1_460;

async function routeWith(
  commandPrefix: readonly string[],
  route: readonly string[],
  settings: LinkSettings,
): Promise<void> {
  const { receiveWindowBytes, initialWindowSegments, congestionControl = await usualControl() } = settings;
  const options = Object.entries({
    window: receiveWindowBytes,
    initcwnd: initialWindowSegments,
    congctl: congestionControl,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
  await runAt(commandPrefix, ["ip", "-4", "route", "replace", ...route, ...options]);
}

/**
 * Sets the TCP options of one end. On a route, `window` limits the announced window, `initcwnd` is the first one, and `congctl` the congestion control
 * (ip-route(8)); they apply to connections opened later. Rejects with a RunnerError `link-unavailable` if the kernel does not support the settings.
 */
export async function setTcp(
  commandPrefix: readonly string[],
  peer: string,
  settings: LinkSettings,
): Promise<{ readonly mtuBytes: number; readonly device: string }> {
  const { windowScaling, slowStartAfterIdle, savesMetrics } = settings;
  const device = await deviceTo(commandPrefix, peer);
  if (!windowScaling) await write(commandPrefix, "tcp_window_scaling", "0");
  await write(commandPrefix, "tcp_slow_start_after_idle", slowStartAfterIdle ? "1" : "0");
  // Unless asked for, one connection must not affect the next.
  await write(commandPrefix, "tcp_no_metrics_save", savesMetrics ? "0" : "1");
  await raiseBufferLimits(commandPrefix, settings);
  await routeWith(commandPrefix, [`${peer}/32`, "dev", device], settings);
  return { mtuBytes: await mtuBytesOf(commandPrefix, device), device };
}

/** A figure in the line of a connection, such as `cwnd:10`; undefined if it is missing. */
function figure(line: string, name: string): number | undefined {
  const value = new RegExp(String.raw`\b${name}:(?:\d+/)?([\d.]+)`).exec(line)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** Parses the output of `ss -tinH`: two lines per connection, the second with its figures. Null without a connection. */
export function readTcpEnd(text: string): TcpEnd | null {
  const lines = text.split("\n").filter((line) => figure(line, "cwnd") !== undefined);
  const all = (name: string): readonly number[] => lines.flatMap((line) => figure(line, name) ?? []);
  if (lines.length === 0) return null;
  return {
    connections: lines.length,
    cwndSegments: Math.min(...all("cwnd")),
    segmentBytes: Math.min(...all("mss")),
    // ss omits it without retransmissions; of `retrans:now/since` the second number counts.
    retransmits: all("retrans").reduce((sum, count) => sum + count, 0),
    rtoMs: Math.max(...all("rto")),
  };
}

export interface TcpEndAt {
  readonly commandPrefix: readonly string[];
  readonly serverPort: number;
  readonly isServer: boolean;
}

/** The established connections of one server at one end of a link; null without a connection, or if `ss` is missing. */
export async function tcpEnd({ commandPrefix, serverPort, isServer }: TcpEndAt): Promise<TcpEnd | null> {
  const ss = programPath("ss");
  const nice = programPath("nice");
  if (ss === undefined) return null;
  const side = `${isServer ? "sport" : "dport"} = :${serverPort}`;
  // At the lowest priority, because other arms may be measured meanwhile.
  const gently = nice === undefined ? [] : [nice, "-n", "19"];
  const result = await commandResult([...commandPrefix, ...gently, ss, "-tinH", "state", "established", side]);
  return result.ok ? readTcpEnd(result.text) : null;
}

/** Both ends of a link's connections; undefined if neither is known. */
export function tcpEvidence(client: TcpEnd | null, server: TcpEnd | null): TcpEvidence | undefined {
  return client === null && server === null ? undefined : { client, server };
}
