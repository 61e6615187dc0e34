// Flags with the same meaning on every command, and their parsers.
import { serveDefaults } from "@roundtrip/stacks/names";
import { InvalidArgumentError, Option } from "commander";
import ms, { type StringValue } from "ms";

/** Headings of a command's help, in order. */
const helpGroups = {
  subject: "What:",
  effort: "How much:",
  output: "Output:",
} as const;

/** `a,b` → `["a", "b"]`; repeatable. */
export function listOf(value: string, before: readonly string[] | undefined): readonly string[] {
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError("give at least one name");
  return [...(before ?? []), ...names];
}

export function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value.trim()) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}`);
  };
}

/** `60s`, `2m`, `500ms` → milliseconds. */
export function duration(value: string): number {
  const milliseconds = /^\d+(\.\d+)?\s*[a-z]+$/i.test(value.trim()) ? ms(value.trim() as StringValue) : undefined;
  if (milliseconds === undefined || !Number.isFinite(milliseconds) || milliseconds <= 0) {
    throw new InvalidArgumentError("must be a duration above 0 with its unit, such as 60s, 2m or 500ms");
  }
  return milliseconds;
}

/** Refuses empty text, which usually comes from an unset variable. */
function someText(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("must not be empty");
  return value;
}

type Group = keyof typeof helpGroups;

export function valueOption(group: Group, flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(helpGroups[group]).argParser(someText);
}

/** A flag without a value, under a heading. */
export function switchOption(group: Group, flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(helpGroups[group]).default(false);
}

export function listOption(group: Group, flags: string, description: string): Option {
  return valueOption(group, flags, description).argParser(listOf);
}

/** A repeatable flag, whose value may have commas. */
export function repeatedOption(group: Group, flags: string, description: string): Option {
  return valueOption(group, flags, description).argParser((value, before: readonly string[] | undefined) => [
    ...(before ?? []),
    someText(value),
  ]);
}

export function numberOption(
  group: Group,
  flags: string,
  description: string,
  [min, max]: readonly [number, number],
): Option {
  return valueOption(group, flags, description).argParser(wholeNumber(min, max));
}

export function durationOption(flags: string, description: string): Option {
  return valueOption("effort", flags, description).argParser(duration);
}

export const stackOption = (): Option => listOption("subject", "--stack <names>", "stacks, styles, servers or clients");

export const contractOption = (otherwise = "Roundtrip's own"): Option =>
  listOption("subject", "--contract <paths>", `your contract (default: ${otherwise})`);

/** @param verb what the command does with operations, such as `measure`. @param otherwise which it takes if none are named. */
export const operationsOption = (verb: string, otherwise: string): Option =>
  listOption("subject", "--operations <names>", `operations to ${verb} (default: ${otherwise})`);

export const tlsOption = (): Option => switchOption("subject", "--tls", "use TLS, with a new certificate");

export const seedOption = (otherwise: string, of = "all random values"): Option =>
  numberOption("effort", "--seed <number>", `seed of ${of} (default: ${otherwise})`, [0, 2 ** 31 - 1]);

export const jsonOption = (): Option => switchOption("output", "--json", "print one JSON document");

export const quietOption = (): Option => switchOption("output", "--quiet", "print no progress");

export const largestPort = 65_535;

/** @param whose names the servers on the first port and the next ones. */
export const servingOptions = (whose: string): readonly Option[] => [
  tlsOption(),
  valueOption("subject", "--ca-out <file>", "write the certificate authority for clients"),
  valueOption("subject", "--host <host>", "interface to listen on").default(serveDefaults.host),
  numberOption("subject", "--port <number>", `port of ${whose}; 0 for free ones`, [0, largestPort]).default(0),
  switchOption("subject", "--detached", "keep serving when its starter ends"),
];
