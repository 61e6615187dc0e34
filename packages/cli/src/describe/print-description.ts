// The output of `roundtrip describe`: operations in each style, losses, limitations and settings.
import { commentAbove, type Contract, type Operation, type OperationKind, valuesText } from "@roundtrip/contract";
import { impossibleMessage } from "@roundtrip/contract/field-rules";
import type { Stack } from "@roundtrip/stacks";
import { styled } from "../output/page.ts";
import type { Settable } from "../stacks/known-settings.ts";

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The first paragraph of a comment as one line; `[Secret][acme.v1.Secret]` is `Secret`, and `[the guide](https://…)` is `the guide (https://…)`. */
function summaryOf(comment: string): string {
  const [paragraph = ""] = comment.trim().split(/\n\s*\n/);
  return paragraph
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\[([^\][]+)\] ?\[[^\][]*\]/g, "$1")
    .replaceAll(/\[([^\][]+)\] ?\(([^()\s]+)\)/g, (_, words: string, url: string) => `${words} (${url})`)
    .replaceAll(/`\[([^\][]+)\]`/g, "`$1`");
}

interface SharedLoss {
  readonly loss: string;
  readonly operations: number;
}

/** `a: why` and `b: why` as `a, b: why`. */
function together(losses: readonly string[]): readonly string[] {
  const groups = Map.groupBy(losses, (loss) => loss.slice(loss.indexOf(": ") + 1));
  return [...groups].map(([why, all]) => {
    const subjects = all.map((loss) => loss.slice(0, loss.length - why.length - 1));
    return all.length === 1 ? (all[0] ?? "") : `${[...new Set(subjects)].join(", ")}:${why}`;
  });
}

/** One operation in one style. Each of a thousand operations may lose ten thousand things, so that losses are numbers here. */
interface ViewedOperation {
  readonly signature: string;
  /** Positions in the style's list, each once. */
  readonly lost: Uint32Array;
}

/** The operations in one style, by their order. */
export interface ViewedStyle {
  readonly stack: Stack;
  readonly losses: readonly string[];
  /** How many operations have a loss. */
  readonly counts: readonly number[];
  readonly operations: readonly ViewedOperation[];
}

/** Each operation in each style. @param onViewed is called for each operation */
export function viewedStyles(
  operations: readonly Operation[],
  contract: Contract,
  stacks: readonly Stack[],
  onViewed: (count: number) => void,
): readonly ViewedStyle[] {
  const styles = stacks.map((stack) => {
    return { stack, losses: [] as string[], counts: [] as number[], operations: [] as ViewedOperation[] };
  });
  const positions = styles.map(() => new Map<string, number>());
  for (const [at, operation] of operations.entries()) {
    onViewed(at);
    for (const [index, { stack, losses, counts, operations: viewed }] of styles.entries()) {
      const { signature, lost } = stack.view(operation, contract);
      const known = positions[index] ?? new Map<string, number>();
      const numbers = new Set<number>();
      for (const loss of lost) {
        let position = known.get(loss);
        if (position === undefined) {
          known.set(loss, (position = losses.length));
          losses.push(loss);
          counts.push(0);
        }
        numbers.add(position);
      }
      for (const position of numbers) counts[position] = (counts[position] ?? 0) + 1;
      viewed.push({ signature, lost: Uint32Array.from(numbers) });
    }
  }
  return styles;
}

/** The losses that a style has in more than one operation, in order of occurrence. */
function sharedLosses({ losses, counts }: ViewedStyle): readonly SharedLoss[] {
  return losses
    .map((loss, position) => ({ loss, operations: counts[position] ?? 0 }))
    .filter(({ operations }) => operations > 1);
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

function lossLines({ lost }: ViewedOperation, { losses, counts }: ViewedStyle): readonly string[] {
  const own = [...lost].filter((position) => counts[position] === 1).map((position) => losses[position] ?? "");
  const more = lost.length - own.length;
  const below = more === 0 ? [] : [`${more} shared with other operations, listed below`];
  return [...together(own), ...below].map((loss) => `cannot carry: ${loss}`);
}

/** Why an operation can have no request or no answer; empty for one that can. */
export function impossibleMessages({ input, output }: Operation): readonly string[] {
  return [...new Set([input, output].flatMap((message) => impossibleMessage(message) ?? []))];
}

/** Prints each operation in each style, with its own losses. */
export function printOperations(operations: readonly Operation[], styles: readonly ViewedStyle[]): void {
  const width = Math.max(...styles.map(({ stack }) => stack.title.length));
  for (const [at, operation] of operations.entries()) {
    const summary = summaryOf(commentAbove(operation.method));
    printLine(`${styled("bold", operation.id)}${summary === "" ? "" : styled("dim", `  ${summary}`)}`);
    for (const why of impossibleMessages(operation)) printLine(`  ${why}`);
    for (const style of styles) {
      const { stack } = style;
      const viewed = style.operations[at] ?? { signature: "", lost: new Uint32Array() };
      const { signature } = viewed;
      if (signature === "") {
        printLine(`  ${stack.title.padEnd(width)}  – ${whyNot(operation, stack)}`);
        continue;
      }
      for (const [index, line] of signature.split("\n").entries()) {
        printLine(`  ${(index === 0 ? stack.title : "").padEnd(width)}  ${line}`);
      }
      for (const line of lossLines(viewed, style)) printLine(`  ${" ".repeat(width)}  ${line}`);
    }
    process.stdout.write("\n");
  }
}

export function printSharedLosses(styles: readonly ViewedStyle[]): void {
  const width = Math.max(...styles.map(({ stack }) => stack.title.length));
  const lines = styles.flatMap((style) =>
    [...Map.groupBy(sharedLosses(style), ({ operations }) => operations)].flatMap(([operations, alike]) =>
      together(alike.map(({ loss }) => loss)).map(
        (loss) => `  ${style.stack.title.padEnd(width)}  ${loss} (${operations} operations)`,
      ),
    ),
  );
  if (lines.length === 0) return;
  process.stdout.write(`${styled("bold", "Not carried, in several operations")}\n`);
  for (const line of lines) printLine(line);
  process.stdout.write("\n");
}

/** Holds for every contract and appears in no signature; the rules list it as "Not expressible in JSON". */
const beyondJson =
  "Styles that write JSON refuse values that JSON cannot express: times and durations out of range, field masks whose paths have no lowerCamelCase " +
  "spelling, an Any of an unknown type, a Value that is not finite.";

/** Prints the limitations of stacks, each reason once. */
export function printLimitations(stacks: readonly Stack[]): void {
  const width = Math.max(...stacks.map(({ title }) => title.length));
  const lines = stacks.flatMap(({ title, limitations }) => {
    const reasons = [...new Set(limitations.map(({ reason }) => reason))];
    return reasons.map((reason) => {
      const features = limitations.filter((limitation) => limitation.reason === reason);
      const what = features.map(({ feature }) => featureWords[feature]).join(", ");
      return `  ${title.padEnd(width)}  ${what}: ${reason}`;
    });
  });
  if (lines.length > 0) process.stdout.write(`${styled("bold", "Not supported")}\n`);
  for (const line of lines) printLine(line);
  printLine(beyondJson);
}

const endWords = { server: "server", client: "client", both: "both ends" } as const;

/** Prints each setting once, with the stacks and services that have it: styles share settings, for example of HTTP connections. */
export function printSettings(settables: readonly Settable[]): void {
  const all = settables.flatMap(({ name, settings }) =>
    settings.map((setting) => ({
      of: name,
      setting: setting.name,
      about: `${setting.meaning} (${endWords[setting.end]}; ${valuesText(setting)}; default ${setting.default}`,
    })),
  );
  if (all.length === 0) return;
  const width = Math.max(...all.map(({ setting }) => setting.length));
  process.stdout.write(`\n${styled("bold", "Settings, for --set STACK.SETTING=VALUE")}\n`);
  for (const alike of Map.groupBy(all, ({ setting, about }) => `${setting} ${about}`).values()) {
    const [{ setting, about } = { setting: "", about: "" }] = alike;
    printLine(`  ${setting.padEnd(width)}  ${about}; ${alike.map(({ of }) => of).join(", ")})`);
  }
}
