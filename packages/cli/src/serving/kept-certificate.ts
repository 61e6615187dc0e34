// The certificate of TLS servers, and the file with its certificate authority.
import { ignoredBindings, type Contract } from "@roundtrip/contract";
import { CliError } from "../basics/cli-error.ts";
import { writeOutput, requireNoInput } from "../output/output-file.ts";
import type { loopbackCertificate } from "@roundtrip/stacks/certificate";

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
  const kept = caOut === undefined ? ", which --ca-out FILE keeps." : `: conform and bench take --ca ${caOut}`;
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
