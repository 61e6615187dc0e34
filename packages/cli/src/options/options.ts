// Flags that mean the same on every command, and how their values are read.
import { InvalidArgumentError, Option, type Command } from "commander";
import ms, { type StringValue } from "ms";

/** Headings of a command's help, in the order in which commands add their flags. */
export const helpGroups = {
  subject: "What:",
  network: "Network between client and server:",
  effort: "How much:",
  output: "Output:",
} as const;

/** Gives a command these options, in this order: help shows them so. */
export function addOptions(command: Command, ...groups: readonly (readonly Option[])[]): void {
  for (const option of groups.flat()) command.addOption(option);
}

/** `a,b` → `["a", "b"]`; may be given several times. */
export function listOf(value: string, before: readonly string[] | undefined): readonly string[] {
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError("give at least one name");
  return [...(before ?? []), ...names];
}

/** A whole number from `min` on. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value.trim()) || number < min || number > max) {
      const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
      throw new InvalidArgumentError(`it must be a whole number, ${range}`);
    }
    return number;
  };
}

/** `60s`, `2m`, `500ms` → milliseconds. */
export function duration(value: string): number {
  const milliseconds = /^\d+(\.\d+)?\s*[a-z]+$/i.test(value.trim()) ? ms(value.trim() as StringValue) : undefined;
  if (milliseconds === undefined || !Number.isFinite(milliseconds) || milliseconds <= 0) {
    throw new InvalidArgumentError("it must be a duration with its unit, such as 60s, 2m or 500ms");
  }
  return milliseconds;
}

/** A path that is not empty: an empty one comes from an unset variable more often than from a wish. */
function path(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("it must not be empty");
  return value;
}

/** A flag with a value, under a heading. */
export function valueOption(group: keyof typeof helpGroups, flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(helpGroups[group]).argParser(path);
}

/** A flag that is there or not, under a heading. */
export function switchOption(group: keyof typeof helpGroups, flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(helpGroups[group]).default(false);
}

/** A flag with names, separated by commas, under a heading. */
export function listOption(group: keyof typeof helpGroups, flags: string, description: string): Option {
  return valueOption(group, flags, description).argParser(listOf);
}

/** `--stack`, and what selects stacks by their parts. */
export const stackOptions = (): readonly Option[] => [
  listOption("subject", "--stack <names>", "only these stacks, separated by commas"),
  listOption("subject", "--style <names>", "only the default stacks of these styles"),
  listOption("subject", "--server <names>", "only stacks with these servers (see below)"),
  listOption("subject", "--client <names>", "only stacks with these clients (see below)"),
];

/** Which stacks these flags select. */
export const stackHelp = `
Stacks:
  A stack is a server library and a client library of one style. Without these flags, the default
  stacks are selected; --stack all selects every stack. --server and --client replace the default of
  their style, and every named server is paired with every named client. Without --style, the styles
  are those that have a named server, or else a named client.`;

/** A flag that may be given several times; what follows it is taken whole, commas too. */
function severalOf(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), path(value)];
}

export const contractOption = (): Option =>
  valueOption(
    "subject",
    "--contract <path>",
    "a folder of .proto files, one of them, or a descriptor set (default: Roundtrip's own contract)",
  );

export const protoPathOption = (): Option =>
  valueOption("subject", "--proto-path <directory>", "root of imported files; may be given several times").argParser(
    severalOf,
  );

export const httpRulesOption = (): Option =>
  valueOption(
    "subject",
    "--http-rules <file>",
    "HTTP rules in a service config, google.api.Service (default: those beside the contract)",
  );

export const tlsOption = (): Option =>
  switchOption("subject", "--tls", "use TLS, with a certificate made for this run");

export const seedOption = (otherwise: string): Option =>
  valueOption("effort", "--seed <number>", `seed of all random values (default: ${otherwise})`).argParser(
    wholeNumber(0, 2 ** 31 - 1),
  );

export const jsonOption = (): Option =>
  switchOption("output", "--json", "print one JSON document instead of text (through pnpm: pnpm -s)");

export const fullOption = (): Option =>
  switchOption("output", "--full", "print every table, finding and warning (default: one screen)");

export const quietOption = (): Option => switchOption("output", "--quiet", "print no progress, only results");
