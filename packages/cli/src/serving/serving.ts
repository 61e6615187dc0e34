// What all servers do: certificates, printed addresses, and internal errors on standard error.
import { type Contract, ignoredBindings, type InternalError, onInternalError } from "@roundtrip/contract";
import { inspect } from "node:util";
import { CliError } from "../basics/cli-error.ts";
import { largestPort } from "../options/options.ts";
import { requireNoInput, writeOutput } from "../output/output-file.ts";
import type { loopbackCertificate } from "@roundtrip/stacks/certificate";

/** How long calls in flight may take when the program is asked to end: it then ends within two seconds, whatever its callers do. */
export const endGraceMs = 1_000;

/** A server that always fails does not fill the terminal. */
const maxPrinted = 100;

function textOf({ cause, operation }: InternalError): string {
  const where = operation === "" ? "" : ` in ${operation}`;
  return `roundtrip: INTERNAL${where}: ${inspect(cause)}\n`;
}

/** Prints to standard error until it is disposed. */
export function printInternalErrors(): Disposable {
  let printed = 0;
  const stop = onInternalError((error) => {
    printed += 1;
    if (printed <= maxPrinted) process.stderr.write(textOf(error));
    if (printed === maxPrinted) process.stderr.write("roundtrip: further internal errors are not printed\n");
  });
  return { [Symbol.dispose]: stop };
}

type Certificate = Awaited<ReturnType<typeof loopbackCertificate>>;

/** A certificate for loopback addresses; undefined without TLS. */
export async function certificateFor(tls: boolean): Promise<Certificate | undefined> {
  if (!tls) return undefined;
  return (await import("@roundtrip/stacks/certificate")).loopbackCertificate();
}

interface CertificateFlags {
  readonly tls: boolean;
  readonly caOut?: string;
}

/** @param inputs files that must not be overwritten. Throws a CliError for an `--ca-out` without --tls, or that cannot be written. */
export async function keptCertificate(
  { tls, caOut }: CertificateFlags,
  inputs: readonly (string | undefined)[],
): ReturnType<typeof certificateFor> {
  if (!tls && caOut !== undefined) throw new CliError("usage", "--ca-out requires --tls");
  const certificate = await certificateFor(tls);
  if (certificate !== undefined && caOut !== undefined) {
    requireNoInput(
      [caOut],
      inputs.filter((path) => path !== undefined),
    );
    await writeOutput(caOut, certificate.ca);
  }
  return certificate;
}

/** Prints the addresses of servers by name, and how clients can trust a self-signed certificate. @param notes further lines. */
export function printAddresses(
  addresses: readonly (readonly [name: string, url: string])[],
  { json, tls, caOut }: CertificateFlags & { readonly json: boolean },
  notes = "",
): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(Object.fromEntries(addresses))}\n`);
    return;
  }
  const width = Math.max(...addresses.map(([name]) => name.length));
  const lines = addresses.map(([name, url]) => `${name.padEnd(width)}  ${url}\n`);
  const kept = caOut === undefined ? ", which --ca-out FILE keeps." : `: --target STYLE=URL,ca=${caOut}`;
  const trust = tls ? `Clients trust the certificate by its authority${kept}\n` : "";
  process.stdout.write(`${lines.join("")}${trust}${notes}Ctrl-C ends it; calls in flight are finished.\n`);
}

/** More rules than these are counted. */
const mostRulesShown = 5;

/** The HTTP rules of a contract that no server can follow: one line each, with the reason. */
export function ignoredRules({ operations }: Contract): string {
  const lines = operations.flatMap(({ id, method }) => ignoredBindings(method).map((rule) => `${id}: ${rule}\n`));
  const more = lines.length - mostRulesShown;
  return `${lines.slice(0, mostRulesShown).join("")}${more > 0 ? `${more} more rules are ignored: roundtrip describe shows them.\n` : ""}`;
}

/** Throws a usage error if this many servers exceed the port range. */
export function requirePorts(port: number, count: number, servers: string): void {
  if (port === 0 || port + count - 1 <= largestPort) return;
  throw new CliError(
    "usage",
    `--port ${port}: ${count} ${servers} need one port each, and the last port is ${largestPort}`,
  );
}
