// `--link`: the network between client and server. Several values of a key are levels, and each combination of levels is one network.
import type { LinkLevels } from "@roundtrip/runner";
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

/** Parses `1,50` with each level in a range. */
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

/** The ranges are those of `linkLimits`, which a test checks. */
function numberIn(least: number, most: number, scale = 1): (text: string) => number | undefined {
  return (text) => {
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number / scale : undefined;
  };
}

const units: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20 };

/** `64k` → 65536. */
function windowOf(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^(\d+)([km]?)$/.exec(text.toLowerCase()) ?? [];
  const bytes = digits === "" ? 0 : Number(digits) * (units[unit] ?? 1);
  return bytes >= 4 * 2 ** 10 && bytes <= 64 * 2 ** 20 ? bytes : undefined;
}

const controlOf = (text: string): string | undefined => (/^[a-z][a-z0-9_]{0,15}$/.test(text) ? text : undefined);

const switchOf = (text: string): boolean | undefined => (text === "on" ? true : text === "off" ? false : undefined);

const settings = {
  rtt: "rttMs",
  bandwidth: "bandwidthMbps",
  loss: "loss",
  congestion: "congestionControl",
  window: "receiveWindowBytes",
  "window-scaling": "windowScaling",
  "slow-start-after-idle": "slowStartAfterIdle",
} as const satisfies Record<string, keyof LinkLevels>;

function kindOf(text: string): string {
  if (linkNames.includes(text)) return text;
  const names = [...linkNames, ...Object.keys(settings)];
  throw new InvalidArgumentError(`unknown link "${text}"${suggestion(text, names)} (valid: ${linkNames.join(", ")})`);
}

const parts = keyValues(
  {
    kind: kindOf,
    rtt: levels("0 to 3000 ms", numberIn(0, 3_000)),
    bandwidth: levels("0.1 to 10000 Mbit/s", numberIn(0.1, 10_000)),
    loss: levels("0 to 50 percent", numberIn(0, 50, 100)),
    congestion: levels("a congestion control such as cubic or bbr", controlOf),
    window: levels("4k to 64m bytes", windowOf),
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
