// The settings of a network between client and server, and their levels as factors. The defaults are an undisturbed path without distance.
import { RunnerError } from "../basics/runner-error.ts";

export interface LinkSettings {
  /** Round-trip time that is added, half of it in each direction. */
  readonly rttMs: number;
  /** In each direction; undefined does not limit it. */
  readonly bandwidthMbps: number | undefined;
  /** Share of packets that are lost, in each direction, independently: 0.01 is one in a hundred. */
  readonly loss: number;
  /** The kernel's name: cubic, reno, bbr, …; undefined is cubic, or reno where the kernel has not loaded it. */
  readonly congestionControl: string | undefined;
  /** The maximum window of a TCP receiver; undefined keeps the machine's own limits. */
  readonly receiveWindowBytes: number | undefined;
  /** The receivers with that window; the other keeps the machine's own. */
  readonly windowAt: "both" | "client" | "server";
  /** The first window of a connection, in segments, which the route keeps for every connection to this peer; undefined keeps the kernel's, ten. */
  readonly initialWindowSegments: number | undefined;
  /** Whether the kernel saves figures of a connection for the next one to this peer: its round-trip time, but no window to begin with. */
  readonly savesMetrics: boolean;
  /** Windows above 64 KB (RFC 7323). */
  readonly windowScaling: boolean;
  /** Whether an idle connection restarts with a small window (RFC 2861). */
  readonly slowStartAfterIdle: boolean;
}

/** Effects that only the kernel's TCP over a distance shows: connection set-up, and bulk data (slow start, windows). */
export type TcpNeed = "cold connections" | "bulk";

export const linkDefaults: LinkSettings = {
  rttMs: 0,
  bandwidthMbps: undefined,
  loss: 0,
  congestionControl: undefined,
  receiveWindowBytes: undefined,
  windowAt: "both",
  initialWindowSegments: undefined,
  savesMetrics: false,
  windowScaling: true,
  slowStartAfterIdle: true,
};

/** The names of settings in a sentence. */
export const settingWords: Readonly<Record<keyof LinkSettings, string>> = {
  rttMs: "distance",
  bandwidthMbps: "bandwidth",
  loss: "loss of packets",
  congestionControl: "congestion control",
  receiveWindowBytes: "receive window",
  windowAt: "end of a receive window",
  initialWindowSegments: "initial window",
  savesMetrics: "saved metrics",
  windowScaling: "window scaling",
  slowStartAfterIdle: "slow start after idle",
};

/** The sensible range. A distance beyond the moon and back is no network for an API. */
export const linkLimits = {
  rttMs: [0, 3_000],
  bandwidthMbps: [0.1, 10_000],
  loss: [0, 0.5],
  receiveWindowBytes: [4_096, 64 * 2 ** 20],
  initialWindowSegments: [1, 1_000],
} as const satisfies Partial<Record<keyof LinkSettings, readonly [number, number]>>;

/** A window with a 16-bit length, plus one byte. */
const unscaledWindowBytes = 65_536;

/** Throws a RunnerError `bad-plan` for settings outside their range. */
export function requireSensible(settings: LinkSettings): void {
  for (const name of ["rttMs", "bandwidthMbps", "loss", "receiveWindowBytes", "initialWindowSegments"] as const) {
    const value = settings[name];
    const [least, most] = linkLimits[name];
    if (value === undefined || (value >= least && value <= most)) continue;
    throw new RunnerError("bad-plan", `a link's ${name} must be ${least} to ${most}, got ${value}`);
  }
  const { windowScaling, receiveWindowBytes = 0 } = settings;
  if (!windowScaling && receiveWindowBytes > unscaledWindowBytes) {
    throw new RunnerError(
      "bad-plan",
      `a window of ${receiveWindowBytes} bytes needs window scaling: without, it is 64 KB at most`,
    );
  }
}

export function settingsThatDiffer(settings: LinkSettings): readonly (keyof LinkSettings)[] {
  const names = Object.keys(linkDefaults) as (keyof LinkSettings)[];
  return names.filter((name) => settings[name] !== linkDefaults[name]);
}

/** The settings as factors of an arm: the round-trip time, other non-defaults, and those to `include`. A setting left to the machine has no value. */
export function linkFactors(
  settings: LinkSettings,
  include: readonly (keyof LinkSettings)[] = [],
): Readonly<Record<string, number | string | boolean>> {
  const differing = settingsThatDiffer(settings);
  const names = (Object.keys(linkDefaults) as (keyof LinkSettings)[]).filter(
    (name) => differing.includes(name) || include.includes(name),
  );
  const given = names.flatMap((name) => {
    const value = settings[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { rttMs: settings.rttMs, ...Object.fromEntries(given) };
}

export function linkKey(settings: LinkSettings): string {
  return JSON.stringify(linkFactors(settings));
}

/** Levels by setting; every combination of them is a network. Missing settings stay as in the task. */
export type LinkLevels = { readonly [Name in keyof LinkSettings]?: readonly LinkSettings[Name][] };

/** A task's own networks with these levels, without duplicates; empty if there are neither. */
export function linksWith(own: readonly LinkSettings[], levels: LinkLevels): readonly LinkSettings[] {
  const names = Object.keys(levels) as (keyof LinkSettings)[];
  if (names.length === 0) return own;
  const links = names.reduce<readonly LinkSettings[]>(
    (some, name) => some.flatMap((link) => (levels[name] ?? []).map((value) => ({ ...link, [name]: value }))),
    own.length === 0 ? [linkDefaults] : own,
  );
  return [...new Map(links.map((link) => [linkKey(link), link])).values()];
}

/** How far the distance of a network is from those of a task, as a log ratio; 0 for a task without networks. */
export function distanceFrom({ rttMs }: LinkSettings, own: readonly LinkSettings[]): number {
  const ratios = own.map((link) => Math.abs(Math.log1p(rttMs) - Math.log1p(link.rttMs)));
  return ratios.length === 0 ? 0 : Math.min(...ratios);
}

/** The settings in which these networks differ. */
export function variedIn(links: readonly LinkSettings[]): readonly (keyof LinkSettings)[] {
  const [first] = links;
  if (first === undefined) return [];
  return (Object.keys(first) as (keyof LinkSettings)[]).filter((name) =>
    links.some((link) => link[name] !== first[name]),
  );
}
