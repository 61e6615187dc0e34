// The certificate of servers over TLS, with what clients trust it by kept where the user wants it.
import { CliError } from "../basics/cli-error.ts";
import { writeOutput, requireNoInput } from "../output/output-file.ts";
import type { loopbackCertificate } from "@roundtrip/stacks/certificate";

type Certificate = Awaited<ReturnType<typeof loopbackCertificate>>;

/** A certificate of this machine's loopback addresses; undefined without TLS. */
export async function certificateFor(tls: boolean): Promise<Certificate | undefined> {
  if (!tls) return undefined;
  return (await import("@roundtrip/stacks/certificate")).loopbackCertificate();
}

interface CertificateFlags {
  readonly tls: boolean;
  readonly caOut?: string;
}

/** @param inputs files that the command reads, which are not to be written over. Throws a CliError for an `--ca-out` that nothing comes to. */
export async function keptCertificate(
  { tls, caOut }: CertificateFlags,
  inputs: readonly (string | undefined)[],
): ReturnType<typeof certificateFor> {
  if (!tls && caOut !== undefined) throw new CliError("usage", "--ca-out keeps what --tls makes: give both");
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
