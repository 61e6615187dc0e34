// Messages of `roundtrip fake`.
import type { Stub } from "@roundtrip/fakes";
import type { FakeFiles } from "@roundtrip/fakes/standalone";
import { explain } from "../basics/explain.ts";
import type { FakeFlags } from "./fake-flags.ts";

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

function taken({ contract, stubs, faults }: Partial<FakeFiles>): string {
  return [
    ...(contract === undefined ? [] : [counted(contract.operations.length, "operation")]),
    ...(stubs === undefined ? [] : [counted(stubs.length, "stub")]),
    ...(faults === undefined ? [] : [counted(faults.faults.length + faults.latencies.length, "fault rule")]),
  ].join(", ");
}

/** Prints which files were applied, and how many stubs added by hand no longer fit the contract. */
export function printApplied(change: Partial<FakeFiles>, lost: readonly Stub[], { json, quiet }: FakeFlags): void {
  if (json || quiet) return;
  const gone =
    lost.length === 0 ? "" : `; ${counted(lost.length, "stub")} added by hand no longer fit and were removed`;
  process.stdout.write(`Applied: ${taken(change)}${gone}.\n`);
}

export function printEnd(text: string, { json, quiet }: FakeFlags): void {
  if (!json && !quiet) process.stdout.write(text);
}

export function printUnsaved(thrown: unknown): void {
  process.stderr.write(`roundtrip: the recording is not saved yet: ${explain(thrown).text}\n`);
}

export function printFault(thrown: unknown): void {
  process.stderr.write(`roundtrip: files not applied, still serving the earlier ones: ${explain(thrown).text}\n`);
}
