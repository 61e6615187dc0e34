// The stacks that names select: of stacks, of styles, or of servers and clients. Loads no stack, for help and shell completion.
import type { KnownStack } from "@roundtrip/stacks/names";
import { suggestion } from "@roundtrip/contract/text";
import { CliError } from "../basics/cli-error.ts";

export interface StackFlags {
  readonly stack?: readonly string[];
}

const everyStack = "all";

/** All names that select stacks, but for pairs of a server and a client. */
export function selectingNames(known: readonly KnownStack[]): readonly string[] {
  const names = known.flatMap(({ style, name, server, client }) => [style, name, server, client]);
  return [...new Set([...names, everyStack])].toSorted();
}

/** The stacks of a name. Of its meanings the first counts: `grpc-js` is a stack, a server and a client. Throws a usage error for an unknown name. */
export function stacksNamed(name: string, known: readonly KnownStack[]): readonly KnownStack[] {
  if (name === everyStack) return known;
  const usualOf = ({ style }: KnownStack): KnownStack | undefined =>
    known.find((stack) => stack.style === style && stack.isDefault);
  const meanings: readonly ((stack: KnownStack) => boolean)[] = [
    (stack) => stack.name === name,
    (stack) => stack.style === name && stack.isDefault,
    (stack) => stack.server === name && stack.client === usualOf(stack)?.client,
    (stack) => stack.client === name && stack.server === usualOf(stack)?.server,
    ({ server, client }) => `${server}+${client}` === name,
  ];
  const meant = meanings.map((isMeant) => known.filter(isMeant)).find((stacks) => stacks.length > 0);
  if (meant !== undefined) return meant;
  throw new CliError(
    "usage",
    `unknown stack "${name}"${suggestion(name, selectingNames(known))} (see roundtrip help stacks)`,
  );
}

/** The selected names, each once; undefined without a selection. Throws a usage error for an unknown name. */
export function selectedStackNames({ stack }: StackFlags, known: readonly KnownStack[]): readonly string[] | undefined {
  return stack && [...new Set(stack.flatMap((name) => stacksNamed(name, known).map((one) => one.name)))];
}
