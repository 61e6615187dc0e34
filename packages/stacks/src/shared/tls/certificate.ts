// A certificate for this machine only, so that TLS can be measured and tested without anyone's authority.
import { generate } from "selfsigned";
import type { ServerTls } from "../../basics/stack.ts";

/** What a server and its clients need to speak TLS over loopback, in PEM. */
export interface LoopbackCertificate extends ServerTls {
  /** What clients trust: the certificate itself, as it signs itself. */
  readonly ca: string;
}

const dayMs = 24 * 60 * 60 * 1000;

const loopback = ["127.0.0.1", "::1"];

/**
 * A fresh self-signed ECDSA P-256 certificate for localhost, 127.0.0.1 and ::1, valid for a week.
 * @param addresses IP addresses that it is valid for too: those of this machine's own networks
 */
export async function loopbackCertificate(addresses: readonly string[] = []): Promise<LoopbackCertificate> {
  const ips = [...new Set([...loopback, ...addresses])];
  const now = Date.now();
  const pem = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    // Clocks of containers and hosts differ a little.
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
