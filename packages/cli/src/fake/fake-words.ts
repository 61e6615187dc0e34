// The messages of `roundtrip fake`: addresses, applied changes, faults.
import type { Stub } from "@roundtrip/fakes";
import type { FakeFiles } from "@roundtrip/fakes/standalone";
import { explain } from "../basics/explain.ts";
import type { FakeFlags } from "./fake-flags.ts";

/** Prints the addresses of servers and of the page. */
export function printAddresses(urls: Readonly<Record<string, string>>, page: string, flags: FakeFlags): void {
  const addresses = Object.entries({ ...urls, page });
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(Object.fromEntries(addresses))}\n`);
    return;
  }
  const width = Math.max(...addresses.map(([name]) => name.length));
  const lines = addresses.map(([name, url]) => `${name.padEnd(width)}  ${url}\n`);
  const trust = !flags.tls
    ? ""
    : flags.caOut === undefined
      ? "Clients trust the certificate by its authority, which --ca-out FILE keeps.\n"
      : `Clients trust the certificate by its authority: conform and bench take --ca ${flags.caOut}\n`;
  process.stdout.write(`${lines.join("")}${trust}Ctrl-C ends it; calls in flight are finished.\n`);
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** What the applied files contain. */
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

/** Prints the summary at the end. */
export function printEnd(text: string, { json, quiet }: FakeFlags): void {
  if (!json && !quiet) process.stdout.write(text);
}

/** Prints why a recording is not saved yet. */
export function printUnsaved(thrown: unknown): void {
  process.stderr.write(`roundtrip: the recording is not saved yet: ${explain(thrown).text}\n`);
}

/** Prints why changed files were not applied. */
export function printFault(thrown: unknown): void {
  process.stderr.write(`roundtrip: files not applied, still serving the earlier ones: ${explain(thrown).text}\n`);
}
