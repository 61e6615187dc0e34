// The stacks that --stack, --style, --server and --client select, or the default ones. Loads only those.
import { allStacks, defaultStackNames, loadStack, type Stack, type KnownStack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import { requireKnown } from "../basics/require-known.ts";

export interface StackFlags {
  readonly stack?: readonly string[];
  readonly style?: readonly string[];
  readonly server?: readonly string[];
  readonly client?: readonly string[];
}

const everyStack = "all";

type Part = "style" | "server" | "client";

const parts = ["style", "server", "client"] as const;

function byName(names: readonly string[], known: readonly KnownStack[]): readonly KnownStack[] {
  if (names.includes(everyStack)) return known;
  const all = known.map(({ name }) => name);
  return [...new Set(names)].map((name) => {
    const part = (["style", "server"] as const).find((one) => known.some((stack) => stack[one] === name));
    if (part !== undefined && !all.includes(name))
      throw new CliError("usage", `"${name}" is a ${part}, not a stack: use --${part} ${name}`);
    requireKnown("stack", name, all);
    return known.find((stack) => stack.name === name) as KnownStack;
  });
}

/** The named parts of one style; by default its default part. */
function partsOf(
  stacks: readonly KnownStack[],
  part: "server" | "client",
  named: readonly string[] | undefined,
): readonly string[] {
  const own = (named ?? []).filter((name) => stacks.some((stack) => stack[part] === name));
  return own.length > 0 ? own : stacks.filter(({ isDefault }) => isDefault).map((stack) => stack[part]);
}

/** The named styles; otherwise those of named servers; otherwise those of named clients. */
function stylesOf(flags: StackFlags, known: readonly KnownStack[]): readonly string[] {
  const part = parts.find((one) => flags[one] !== undefined) ?? "style";
  const names = flags[part] ?? [];
  return [...new Set(names.flatMap((name) => known.filter((stack) => stack[part] === name).map(({ style }) => style)))];
}

/** Combines every selected server and client of a style. */
function byParts(flags: StackFlags, known: readonly KnownStack[]): readonly KnownStack[] {
  for (const part of parts) {
    const all = [...new Set(known.map((stack) => stack[part]))].toSorted();
    for (const name of flags[part] ?? []) requireKnown(part, name, all);
  }
  const styles = stylesOf(flags, known);
  const selected = styles.flatMap((style) => {
    const stacks = known.filter((stack) => stack.style === style);
    const servers = partsOf(stacks, "server", flags.server);
    const clients = partsOf(stacks, "client", flags.client);
    return stacks.filter(({ server, client }) => servers.includes(server) && clients.includes(client));
  });
  const isUsed = (part: Part, name: string): boolean => selected.some((stack) => stack[part] === name);
  for (const part of parts) {
    const unused = flags[part]?.find((name) => !isUsed(part, name));
    if (unused === undefined) continue;
    throw new CliError("usage", `--${part} ${unused}: none of the selected styles has it (${styles.join(", ")})`);
  }
  return selected;
}

/** The selected names, each once; undefined without a selection. Throws a usage error for unknown names, and for parts of other styles. */
export function selectedStackNames(flags: StackFlags, known: readonly KnownStack[]): readonly string[] | undefined {
  const part = parts.find((one) => flags[one] !== undefined);
  if (part === undefined && flags.stack === undefined) return undefined;
  if (part !== undefined && flags.stack !== undefined)
    throw new CliError("usage", `stacks are named, so --${part} has no effect: remove one of them`);
  const selected = flags.stack === undefined ? byParts(flags, known) : byName(flags.stack, known);
  return selected.map(({ name }) => name);
}

export function withArguments(names: readonly string[], flags: StackFlags): StackFlags {
  return names.length === 0 ? flags : { ...flags, stack: names };
}

export function selectsStacks({ stack, style, server, client }: StackFlags): boolean {
  return [stack, style, server, client].some((names) => names !== undefined);
}

/** Loads the selected stacks, or else the usual ones. Throws the usage errors of `selectedStackNames`. */
export async function chosenStacks(flags: StackFlags, usual = defaultStackNames()): Promise<readonly Stack[]> {
  const names = selectedStackNames(flags, allStacks()) ?? usual;
  return Promise.all(names.map((name) => loadStack(name)));
}
