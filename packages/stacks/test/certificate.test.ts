// The certificate works for this machine's names and for nobody else's.
import { X509Certificate } from "node:crypto";
import { connect as connectTls, createServer, type TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { loopbackCertificate } from "../src/shared/certificate.ts";

test("it names localhost and the loopback addresses, and nothing else", async () => {
  const { cert } = await loopbackCertificate();
  const certificate = new X509Certificate(cert);
  expect(certificate.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
  expect(certificate.checkHost("example.com")).toBeUndefined();
  expect(certificate.ca).toBe(false);
});

test("it names the addresses of other networks of this machine when they are given", async () => {
  const certificate = new X509Certificate((await loopbackCertificate(["10.2.1.1", "127.0.0.1"])).cert);
  expect(certificate.checkIP("10.2.1.1")).toBe("10.2.1.1");
  expect(certificate.checkIP("10.1.1.1")).toBeUndefined();
  expect(certificate.subjectAltName).toBe(
    "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:10.2.1.1",
  );
});

test.each(["localhost", "127.0.0.1"])("a client that trusts its ca is satisfied with a server at %s", async (host) => {
  const { ca, ...tls } = await loopbackCertificate();
  const server = createServer(tls, (socket) => void socket.end()).listen(0, host);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const socket = await new Promise<TLSSocket>((resolve, reject) => {
    const connecting = connectTls({ host, port, ca }, () => resolve(connecting));
    connecting.once("error", reject);
  });
  expect(socket.authorized).toBe(true);
  socket.destroy();
});
