// `--link`: the network between client and server. Several values of a key are levels, and each combination of levels is one network.
import type { LinkLevels } from "@roundtrip/runner";
import { linkNames as linkKindNames } from "@roundtrip/runner/link-kinds";
import { InvalidArgumentError, type Option } from "commander";
import { suggestion } from "@roundtrip/contract/text";
import { valueOption } from "./options.ts";

/** `auto` selects the first of the others that supports the requested properties on this machine. */
export const linkNames: readonly string[] = ["auto", ...linkKindNames()];

interface Key {
  readonly setting: keyof LinkLevels;
  readonly what: string;
  readonly valueOf: (text: string) => number | string | boolean | undefined;
}

/** Parses a number in a range. The ranges are those of `linkLimits`, which a test checks. */
function numberIn(least: number, most: number, scale = 1): Key["valueOf"] {
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

const keys: Readonly<Record<string, Key>> = {
  rtt: { setting: "rttMs", what: "0 to 3000 ms", valueOf: numberIn(0, 3_000) },
  bandwidth: { setting: "bandwidthMbps", what: "0.1 to 10000 Mbit/s", valueOf: numberIn(0.1, 10_000) },
  loss: { setting: "loss", what: "0 to 50 percent", valueOf: numberIn(0, 50, 100) },
  congestion: { setting: "congestionControl", what: "a congestion control such as cubic or bbr", valueOf: controlOf },
  window: { setting: "receiveWindowBytes", what: "4k to 64m bytes", valueOf: windowOf },
  "window-scaling": { setting: "windowScaling", what: "on or off", valueOf: switchOf },
  "slow-start-after-idle": { setting: "slowStartAfterIdle", what: "on or off", valueOf: switchOf },
};

export interface TypedLink {
  readonly kind: string;
  readonly levels: LinkLevels;
}

export const usualLink: TypedLink = { kind: "auto", levels: {} };

function kindOf(text: string): string {
  if (linkNames.includes(text)) return text;
  const names = [...linkNames, ...Object.keys(keys)];
  throw new InvalidArgumentError(`unknown link "${text}"${suggestion(text, names)} (valid: ${linkNames.join(", ")})`);
}

function keyOf(name: string): Key {
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key !== undefined) return key;
  const names = Object.keys(keys);
  throw new InvalidArgumentError(`unknown key "${name}"${suggestion(name, names)} (valid: ${names.join(", ")})`);
}

/** Parses `kernel,rtt=1,50`: a part without "=" is the kind, or after a key one more of its values. */
function linkOf(text: string, before = usualLink): TypedLink {
  let { kind } = before;
  const levels: Record<string, readonly unknown[]> = { ...before.levels };
  let name: string | undefined;
  for (const part of text.split(",").map((one) => one.trim())) {
    const [, typed, rest = part] = /^([^=]*)=(.*)$/.exec(part) ?? [];
    name = typed ?? name;
    if (name === undefined) {
      kind = kindOf(part);
      continue;
    }
    const { setting, what, valueOf } = keyOf(name);
    const value = valueOf(rest);
    if (value === undefined) throw new InvalidArgumentError(`${name} must be ${what}, got "${rest}"`);
    levels[setting] = [...new Set([...(levels[setting] ?? []), value])];
  }
  return { kind, levels };
}

export const linkOption = (): Option =>
  valueOption("subject", "--link <network>", "network, such as rtt=50,loss=1 (default: the study's)").argParser(linkOf);
