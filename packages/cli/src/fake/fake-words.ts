// Messages of `roundtrip fake`.
import type { StackFlags } from "../stacks/selected-stacks.ts";
import type { ContractFlags } from "../contract/contract-source.ts";
import type { TypedSetting } from "../options/key-values.ts";
import type { TypedTargets } from "../targets/typed-target.ts";
import { type ReadableLog, refusalText } from "@roundtrip/fakes";
import { explain } from "../basics/explain.ts";

export interface FakeFlags extends ContractFlags, StackFlags {
  readonly set?: readonly TypedSetting[];
  readonly stubs?: string;
  readonly faults?: string;
  readonly forward?: TypedTargets;
  readonly record?: TypedTargets;
  readonly out?: string;
  readonly replay?: string;
  readonly tls: boolean;
  readonly caOut?: string;
  readonly host: string;
  readonly port: number;
  readonly ownPorts: boolean;
  readonly detached: boolean;
  readonly allowOrigin?: readonly string[];
  readonly seed?: number;
  readonly wholeUpdates: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Prints what changed files did. */
export function printApplied(text: string, { json, quiet }: FakeFlags): void {
  if (!json && !quiet) process.stdout.write(`${text}\n`);
}

export function printEnd(text: string, { json, quiet }: FakeFlags): void {
  if (!json && !quiet) process.stdout.write(text);
}

export function printUnsaved(thrown: unknown): void {
  process.stderr.write(
    `roundtrip: the recording is not saved: ${explain(thrown).text}; each further answer tries again\n`,
  );
}

export function printLeftOut(why: string): void {
  process.stderr.write(`roundtrip: not recorded: ${why}\n`);
}

export function printServerLeftOut(server: string, why: string): void {
  process.stderr.write(`roundtrip: ${server} is left out: ${why}\n`);
}

/** Prints why changed files are not applied, and returns it. */
export function printFault(thrown: unknown): string {
  const text = `files not applied, still serving the earlier ones: ${explain(thrown).text}`;
  process.stderr.write(`roundtrip: ${text}\n`);
  return text;
}

/** A client that repeats a mistake does not fill the terminal: each is printed once in this time. */
const repeatMs = 10_000;
const rememberedMistakes = 100;

/** Prints requests that are refused before they reach an operation, and fields that a list does not apply, as they arrive. */
export function printMistakes(log: ReadableLog, { json, quiet }: FakeFlags): void {
  if (json || quiet) return;
  const printedAt = new Map<string, number>();
  const print = (text: string, at: number): void => {
    if (at - (printedAt.get(text) ?? -Infinity) < repeatMs) return;
    if (printedAt.size >= rememberedMistakes) printedAt.clear();
    printedAt.set(text, at);
    process.stdout.write(`${text}\n`);
  };
  log.onRefusal((refusal) => print(`Refused: ${refusalText(refusal)}`, refusal.at));
  log.onRecord(({ style, operation, ignoredFields, startedAt }) => {
    if (ignoredFields.length > 0) print(`Ignored: ${ignoredFields.join(", ")} of ${operation} (${style})`, startedAt);
  });
}
