// What `roundtrip fake` says: where it is, what it has read again, and what it could not.
import type { Stub } from "@roundtrip/fakes";
import type { FakeFiles } from "@roundtrip/fakes/standalone";
import { explain } from "../basics/explain.ts";
import type { FakeFlags } from "./fake-flags.ts";

/** Prints the addresses of servers and of the page. */
export function tellAddresses(urls: Readonly<Record<string, string>>, page: string, flags: FakeFlags): void {
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

/** What is served of what was read. */
function taken({ contract, stubs, faults }: Partial<FakeFiles>): string {
  return [
    ...(contract === undefined ? [] : [counted(contract.operations.length, "operation")]),
    ...(stubs === undefined ? [] : [counted(stubs.length, "stub")]),
    ...(faults === undefined ? [] : [counted(faults.faults.length + faults.latencies.length, "fault rule")]),
  ].join(", ");
}

/** Prints what was read again, and which stubs were added by hand for a contract that is gone. */
export function tellTaken(change: Partial<FakeFiles>, lost: readonly Stub[], { json, quiet }: FakeFlags): void {
  if (json || quiet) return;
  const gone = lost.length === 0 ? "" : `; ${counted(lost.length, "stub")} added by hand did not fit and went`;
  process.stdout.write(`Read again: ${taken(change)}${gone}.\n`);
}

/** Prints what there is to say at the end. */
export function tellEnd(text: string, { json, quiet }: FakeFlags): void {
  if (!json && !quiet) process.stdout.write(text);
}

/** Prints why a recording is not in its file yet. */
export function tellUnkept(thrown: unknown): void {
  process.stderr.write(`roundtrip: what was recorded is not kept yet, because ${explain(thrown).text}\n`);
}

/** Prints why files were not taken. */
export function tellFault(thrown: unknown): void {
  process.stderr.write(`roundtrip: served as before, because ${explain(thrown).text}\n`);
}
