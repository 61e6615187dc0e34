// A certificate for this machine only, to measure and test TLS without a certificate authority.
import { requireLibraries } from "../basics/stack-error.ts";
import type { ServerTls } from "../basics/stack.ts";

/** Server and client credentials for TLS over loopback, in PEM. */
export interface LoopbackCertificate extends ServerTls {
  /** The certificate authority for clients: the self-signed certificate itself. */
  readonly ca: string;
}

const dayMs = 24 * 60 * 60 * 1000;

const loopback = ["127.0.0.1", "::1"];

/**
 * Creates a self-signed ECDSA P-256 certificate for localhost, 127.0.0.1, ::1 and further IP `addresses`, valid for a week. Rejects with
 * a StackError if its library is not installed.
 */
export async function loopbackCertificate(addresses: readonly string[] = []): Promise<LoopbackCertificate> {
  requireLibraries("TLS", ["selfsigned"], import.meta.url);
  const { generate } = await import("selfsigned");
  const ips = [...new Set([...loopback, ...addresses])];
  const now = Date.now();
  const pem = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    // Clocks of containers and hosts differ slightly.
    notBeforeDate: new Date(now - dayMs),
    notAfterDate: new Date(now + 7 * dayMs),
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [{ type: 2, value: "localhost" }, ...ips.map((ip) => ({ type: 7 as const, ip }))],
      },
    ],
  });
  return { key: pem.private, cert: pem.cert, ca: pem.cert };
}
