// A certificate for this machine only, so that TLS can be measured and tested without anyone's authority.
import { generate } from "selfsigned";
import type { ServerTls } from "./stack.ts";

/** What a server and its clients need to speak TLS over loopback, in PEM. */
export interface LoopbackCertificate extends ServerTls {
  /** What clients trust: the certificate itself, as it signs itself. */
  readonly ca: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A fresh self-signed ECDSA P-256 certificate for localhost, 127.0.0.1 and ::1, valid for a week. */
export async function loopbackCertificate(): Promise<LoopbackCertificate> {
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
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  return { key: pem.private, cert: pem.cert, ca: pem.cert };
}
