// Messages of `roundtrip fake`.
import type { StackFlags } from "../stacks/selected-stacks.ts";
import type { ContractFlags } from "../contract/contract-source.ts";
import type { TypedSetting } from "../options/key-values.ts";
import type { TypedTargets } from "../targets/typed-target.ts";
import { type ReadableRefusals, type Refusal, refusalText } from "@roundtrip/fakes";
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

/** Prints why changed files are not applied, and returns it. */
export function printFault(thrown: unknown): string {
  const text = `files not applied, still serving the earlier ones: ${explain(thrown).text}`;
  process.stderr.write(`roundtrip: ${text}\n`);
  return text;
}

/** A client that repeats a mistake does not fill the terminal: each is printed once in this time. */
const repeatMs = 10_000;
const rememberedRefusals = 100;

/** Prints requests that are refused before they reach an operation, as they arrive. */
export function printRefusals(log: ReadableRefusals, { json, quiet }: FakeFlags): void {
  if (json || quiet) return;
  const printedAt = new Map<string, number>();
  log.onRefusal((refusal: Refusal) => {
    const text = refusalText(refusal);
    if (refusal.at - (printedAt.get(text) ?? -Infinity) < repeatMs) return;
    if (printedAt.size >= rememberedRefusals) printedAt.clear();
    printedAt.set(text, refusal.at);
    process.stdout.write(`Refused: ${text}\n`);
  });
}
