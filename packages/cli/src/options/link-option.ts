// Options of the network between client and server. Several values are levels, and each combination of levels is one network.
import { linkNames as linkKindNames } from "@roundtrip/runner/link-kinds";
import { InvalidArgumentError, type Option } from "commander";
import { suggestion } from "@roundtrip/contract/text";
import { valueOption } from "./options.ts";

/** `auto` selects the first of the others that supports the requested properties on this machine. */
export const linkNames: readonly string[] = ["auto", ...linkKindNames()];

function linkOf(value: string): string {
  if (linkNames.includes(value)) return value;
  throw new InvalidArgumentError(`unknown link${suggestion(value, linkNames)} (valid: ${linkNames.join(", ")})`);
}

const mostLevels = 8;

function levels<T>(what: string, valueOf: (text: string) => T | undefined): (value: string) => readonly T[] {
  return (value) => {
    const values = value.split(",").map((text) => valueOf(text.trim()));
    const known = values.filter((one) => one !== undefined);
    const each = [...new Set(known)];
    if (known.length === values.length && each.length <= mostLevels) return each;
    throw new InvalidArgumentError(`must be up to ${mostLevels} ${what}`);
  };
}

/** Parses a number in a range. The ranges are those of `linkLimits`, which a test checks. */
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

function controlOf(text: string): string | undefined {
  return /^[a-z][a-z0-9_]{0,15}$/.test(text) ? text : undefined;
}

function switchOf(text: string): boolean | undefined {
  return text === "on" ? true : text === "off" ? false : undefined;
}

const option = (flags: string, description: string, what: string, valueOf: (text: string) => unknown): Option =>
  valueOption("network", flags, description).argParser(levels(what, valueOf));

export function networkOptions(): readonly Option[] {
  return [
    valueOption("network", "--link <kind>", `what it is made with: ${linkNames.join(", ")} (see below)`)
      .argParser(linkOf)
      .default("auto"),
    option(
      "--rtt <ms>",
      "round-trip times (default: the study's)",
      "round-trip times in ms, 0 to 3000, such as 1,50,100",
      numberIn(0, 3_000),
    ),
    option(
      "--bandwidth <mbit>",
      "Mbit/s in each direction (default: not limited)",
      "bandwidths in Mbit/s, 0.1 to 10000, such as 10,100",
      numberIn(0.1, 10_000),
    ),
    option(
      "--loss <percent>",
      "packets lost in each direction (default: 0)",
      "shares of packets in percent, 0 to 50, such as 0.1,1",
      numberIn(0, 50, 100),
    ),
    option(
      "--congestion <names>",
      "the kernel's congestion control (default: the machine's)",
      "names of congestion controls, such as cubic,reno,bbr",
      controlOf,
    ),
    option(
      "--window <bytes>",
      "largest TCP receive window (default: the kernel's)",
      "windows in bytes, 4k to 64m, such as 64k,512k",
      windowOf,
    ),
    option("--window-scaling <on,off>", "TCP windows above 64 KB (default: on)", "of on,off", switchOf),
    option(
      "--slow-start-after-idle <on,off>",
      "a pause takes TCP back to a small window (default: on)",
      "of on,off",
      switchOf,
    ),
  ];
}

export interface NetworkFlags {
  readonly link: string;
  readonly rtt?: readonly number[];
  readonly bandwidth?: readonly number[];
  readonly loss?: readonly number[];
  readonly congestion?: readonly string[];
  readonly window?: readonly number[];
  readonly windowScaling?: readonly boolean[];
  readonly slowStartAfterIdle?: readonly boolean[];
}

export const networkHelp = `
Networks:
  All links are on this machine. Unless a flag above or the study asks for more, calls use its
  loopback. kernel makes two private network namespaces with the kernel's own TCP between them
  (Linux; netem, or rattan: cargo install rattan --locked); relay delays what crosses it, which any
  machine can, and is for small calls alone. auto takes the first that can carry what is asked.
  Several values, with commas, are levels: --rtt 1,50 --window 64k,1m makes four networks.`;
