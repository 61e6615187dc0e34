// The output of `roundtrip describe`: operations in each style, losses, limitations and settings.
import { commentAbove, type Contract, type Operation, type OperationKind } from "@roundtrip/contract";
import type { Setting, Stack } from "@roundtrip/stacks";
import { styled } from "../output/page.ts";
import type { Settable } from "../stack-settings/settable.ts";

interface SharedLoss {
  readonly loss: string;
  readonly operations: number;
}

/** The losses that a stack has in more than one operation, in order of occurrence. */
export function sharedLosses(
  operations: readonly Operation[],
  contract: Contract,
  stack: Stack,
): readonly SharedLoss[] {
  const count = new Map<string, number>();
  for (const operation of operations) {
    for (const loss of new Set(stack.view(operation, contract).lost)) count.set(loss, (count.get(loss) ?? 0) + 1);
  }
  return [...count].filter(([, times]) => times > 1).map(([loss, times]) => ({ loss, operations: times }));
}

const featureWords = {
  together: "several operations in one exchange",
  metadata: "metadata beside requests and answers",
  serverStream: "streams of responses",
  clientStream: "streams of requests",
  bidiStream: "streams both ways",
  tlsResumption: "resumption of TLS sessions",
  anyPort: "servers on any port",
  traceMethod: "operations bound to TRACE",
  bodyOfGet: "bodies of GET requests",
} as const;

const featureOf = {
  unary: undefined,
  server_streaming: "serverStream",
  client_streaming: "clientStream",
  bidi_streaming: "bidiStream",
} as const satisfies Readonly<Record<OperationKind, keyof typeof featureWords | undefined>>;

function whyNot({ kind }: Operation, { limitations }: Stack): string {
  const limitation = limitations.find(({ feature }) => feature === featureOf[kind]);
  return limitation === undefined
    ? "not carried"
    : `not carried, ${featureWords[limitation.feature]}: ${limitation.reason}`;
}

type Shared = ReadonlyMap<Stack, readonly SharedLoss[]>;

function lossLines(lost: readonly string[], shared: readonly SharedLoss[]): readonly string[] {
  const isShared = (loss: string): boolean => shared.some((one) => one.loss === loss);
  const own = lost.filter((loss) => !isShared(loss));
  const more = new Set(lost).size - new Set(own).size;
  const below = more === 0 ? [] : [`${more} shared with other operations, listed below`];
  return [...own, ...below].map((loss) => `cannot carry: ${loss}`);
}

/** Prints each operation in each style, with its own losses. */
export function printOperations(
  operations: readonly Operation[],
  contract: Contract,
  stacks: readonly Stack[],
  shared: Shared,
): void {
  const width = Math.max(...stacks.map((stack) => stack.title.length));
  const indent = `\n${" ".repeat(width + 4)}`;
  for (const operation of operations) {
    const comment = commentAbove(operation.method);
    process.stdout.write(`${styled("bold", operation.id)}${comment === "" ? "" : styled("dim", `  ${comment}`)}\n`);
    for (const stack of stacks) {
      const { signature, lost } = stack.view(operation, contract);
      if (signature === "") {
        process.stdout.write(`  ${stack.title.padEnd(width)}  – ${whyNot(operation, stack)}\n`);
        continue;
      }
      process.stdout.write(`  ${stack.title.padEnd(width)}  ${signature.replaceAll("\n", indent)}\n`);
      for (const line of lossLines(lost, shared.get(stack) ?? [])) {
        process.stdout.write(`  ${" ".repeat(width)}  ${line}\n`);
      }
    }
    process.stdout.write("\n");
  }
}

export function printSharedLosses(shared: Shared): void {
  const width = Math.max(...[...shared.keys()].map(({ title }) => title.length));
  const lines = [...shared].flatMap(([{ title }, losses]) =>
    losses.map(({ loss, operations }) => `  ${title.padEnd(width)}  ${loss} (${operations} operations)\n`),
  );
  if (lines.length > 0) {
    process.stdout.write(`${styled("bold", "What is not carried of several operations")}\n${lines.join("")}\n`);
  }
}

/** Holds for every contract and appears in no signature; the rules list it as "Not expressible in JSON". */
export const beyondJson =
  "Where a style writes JSON it refuses what JSON has no word for: times and durations out of bounds, masks with odd paths if they are one text, " +
  "an Any of a type that the contract does not have or with bytes and no type, a Value that is not finite.\n";

/** Prints the limitations of stacks, each reason once. */
export function printLimitations(stacks: readonly Stack[]): void {
  const width = Math.max(...stacks.map(({ title }) => title.length));
  const lines = stacks.flatMap(({ title, limitations }) => {
    const reasons = [...new Set(limitations.map(({ reason }) => reason))];
    return reasons.map((reason) => {
      const features = limitations.filter((limitation) => limitation.reason === reason);
      const what = features.map(({ feature }) => featureWords[feature]).join(", ");
      return `  ${title.padEnd(width)}  ${what}: ${reason}\n`;
    });
  });
  if (lines.length > 0) process.stdout.write(`${styled("bold", "What is not carried here")}\n${lines.join("")}`);
}

function valuesOf({ values }: Setting): string {
  return "least" in values ? `${values.least} to ${values.most}` : values.join(", ");
}

const endWords = { server: "server", client: "client", both: "both ends" } as const;

export function printSettings(settables: readonly Settable[]): void {
  const width = Math.max(...settables.map(({ title }) => title.length));
  const lines = settables.flatMap(({ name, title, settings }) =>
    settings.map(
      (setting) =>
        `  ${title.padEnd(width)}  ${name}.${setting.name}, ${endWords[setting.end]} (${setting.default}; ${valuesOf(setting)}): ${setting.meaning}\n`,
    ),
  );
  if (lines.length > 0) process.stdout.write(`\n${styled("bold", "What can be set, with --set")}\n${lines.join("")}`);
}
