// `--link`: the network between client and server. Several values of a key are levels, and each combination of levels is one network.
import type { LinkLevels, LinkSettings } from "@roundtrip/runner";
import { linkNames as linkKindNames } from "@roundtrip/runner/link-kinds";
import { InvalidArgumentError, type Option } from "commander";
import { suggestion } from "@roundtrip/contract/text";
import { keyValues } from "./key-values.ts";
import { valueOption } from "./options.ts";

/** `auto` selects the first of the others that supports the requested properties on this machine. */
export const linkNames: readonly string[] = ["auto", ...linkKindNames()];

export interface TypedLink {
  readonly kind: string;
  readonly levels: LinkLevels;
}

export const usualLink: TypedLink = { kind: "auto", levels: {} };

/** Parses `1,50`, each with the same parser. */
function levels<Level>(what: string, valueOf: (text: string) => Level | undefined): (text: string) => readonly Level[] {
  return (text) => {
    const all = text.split(",").map((part) => {
      const value = valueOf(part);
      if (value === undefined) throw new InvalidArgumentError(`must be ${what}, got "${part}"`);
      return value;
    });
    return [...new Set(all)];
  };
}

const numberOf = (text: string): number | undefined => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);

function shareOf(text: string): number | undefined {
  const percent = numberOf(text);
  return percent === undefined ? undefined : percent / 100;
}

const units: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20 };

/** `64k` → 65536. */
function bytesOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)([km]?)$/.exec(text.toLowerCase()) ?? [];
  return digits === undefined ? undefined : Number(digits) * (units[unit] ?? 1);
}

const controlOf = (text: string): string | undefined => (/^[a-z][a-z0-9_]{0,15}$/.test(text) ? text : undefined);

const switchOf = (text: string): boolean | undefined => (text === "on" ? true : text === "off" ? false : undefined);

const ends: readonly LinkSettings["windowAt"][] = ["both", "client", "server"];

const endOf = (text: string): LinkSettings["windowAt"] | undefined => ends.find((end) => end === text);

const settings = {
  rtt: "rttMs",
  bandwidth: "bandwidthMbps",
  loss: "loss",
  congestion: "congestionControl",
  window: "receiveWindowBytes",
  "window-at": "windowAt",
  "initial-window": "initialWindowSegments",
  "saved-metrics": "savesMetrics",
  "window-scaling": "windowScaling",
  "slow-start-after-idle": "slowStartAfterIdle",
} as const satisfies Record<string, keyof LinkLevels>;

function kindOf(text: string): string {
  if (linkNames.includes(text)) return text;
  const names = [...linkNames, ...Object.keys(settings)];
  throw new InvalidArgumentError(`unknown link "${text}"${suggestion(text, names)} (valid: ${linkNames.join(", ")})`);
}

/** Before a run starts, the runner refuses levels that make no network. */
const parts = keyValues(
  {
    kind: kindOf,
    rtt: levels("numbers of ms", numberOf),
    bandwidth: levels("numbers of Mbit/s", numberOf),
    loss: levels("numbers of percent", shareOf),
    congestion: levels("a congestion control such as cubic or bbr", controlOf),
    window: levels("bytes such as 64k or 1m", bytesOf),
    "window-at": levels("both, client or server", endOf),
    "initial-window": levels("numbers of segments", numberOf),
    "saved-metrics": levels("on or off", switchOf),
    "window-scaling": levels("on or off", switchOf),
    "slow-start-after-idle": levels("on or off", switchOf),
  },
  "kind",
);

/** Parses `kernel,rtt=1,50`. */
function linkOf(text: string, before = usualLink): TypedLink {
  const { kind = before.kind, ...typed } = parts(text);
  const named = Object.entries(typed).map(([key, values]) => [settings[key as keyof typeof settings], values]);
  return { kind, levels: { ...before.levels, ...(Object.fromEntries(named) as LinkLevels) } };
}

export const linkOption = (): Option =>
  valueOption("subject", "--link <network>", "network, such as rtt=50,loss=1 (default: the study's)").argParser(linkOf);
