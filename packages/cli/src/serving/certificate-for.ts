// The certificate of a run over TLS: the library that makes it is loaded only then.
import type { loopbackCertificate } from "@roundtrip/stacks/certificate";

type Certificate = Awaited<ReturnType<typeof loopbackCertificate>>;

/** A certificate of this machine's loopback addresses; undefined without TLS. */
export async function certificateFor(tls: boolean): Promise<Certificate | undefined> {
  if (!tls) return undefined;
  return (await import("@roundtrip/stacks/certificate")).loopbackCertificate();
}
