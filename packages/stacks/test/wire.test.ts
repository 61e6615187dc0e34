// What every stack's client does on the wire: the sockets that can be counted are those that carry the bytes, over TLS too.
import { realService } from "@roundtrip/service";
import dns from "node:dns";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { caught, certificate, clientOf, contract, hello, pairOf, stacksUnderTest } from "./support/pair.ts";
import { clientSockets, countingRelay } from "./support/wire.ts";

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  test.each([
    { over: "plain TCP", tls: false },
    { over: "TLS", tls: true },
  ])("over $over, its client's sockets count every byte on the wire, and nothing else", async ({ tls }) => {
    const service = realService(contract);
    const { server } = await pairOf(stackName, service, { tls });
    const relay = await countingRelay(server.url);
    const sockets = clientSockets();
    const ca = tls ? (await certificate).ca : undefined;
    const client = await clientOf(stackName, service, { url: relay.url, ca, connections: 2 });
    const names = Array.from({ length: 10 }, (_, index) => `caller ${index} ${"x".repeat(index * 20)}`);
    await Promise.all(names.map((name) => hello(client, name)));
    await hello(client, "alone");
    await vi.waitFor(() => {
      const ours = [...sockets].filter(({ remotePort }) => remotePort === relay.port);
      expect(ours.length).toBe(2);
      const sum = (key: "bytesRead" | "bytesWritten") => ours.reduce((total, socket) => total + socket[key], 0);
      expect({ written: sum("bytesWritten"), read: sum("bytesRead") }).toEqual({
        written: relay.toServer,
        read: relay.toClient,
      });
    }, 20_000);
  });

  test.each([
    { over: "plain TCP", tls: false },
    { over: "TLS", tls: true },
  ])("over $over, a name is reached at its second address when the first does not answer", async ({ tls }) => {
    const service = realService(contract);
    const { server } = await pairOf(stackName, service, { tls });
    twoAddresses("::1", "127.0.0.1");
    const url = server.url.replace("127.0.0.1", "localhost");
    const client = await clientOf(stackName, service, { url, ca: tls ? (await certificate).ca : undefined });
    expect(await hello(client, "World")).toBe("Hello, World!");
  });

  test.each([
    { over: "plain TCP", tls: false },
    { over: "TLS", tls: true },
  ])("over $over, a name that answers at none of its addresses is UNAVAILABLE, in words", async ({ tls }) => {
    const service = realService(contract);
    const { server } = await pairOf(stackName, service, { tls });
    await server.close();
    twoAddresses("::1", "127.0.0.1");
    const url = new URL(server.url.replace("127.0.0.1", "localhost"));
    const client = await clientOf(stackName, service, { url: url.href });
    const { code, message } = await caught(hello(client, "World"));
    expect([code, message]).toEqual([
      "UNAVAILABLE",
      expect.stringMatching(new RegExp(`^no answer from ${url.origin}: .*ECONNREFUSED`)),
    ]);
  });
});

/** Lets every name mean these addresses until the end of the test. */
function twoAddresses(...addresses: readonly string[]): void {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  type Answer = (error: null, ...answer: readonly unknown[]) => void;
  const lookup = (_name: string, options: dns.LookupOptions, answer: Answer): void => {
    process.nextTick(() => {
      if (options.all === true) answer(null, found);
      else answer(null, found[0]?.address, found[0]?.family);
    });
  };
  const spies = [
    vi.spyOn(dns, "lookup").mockImplementation(lookup as unknown as typeof dns.lookup),
    vi.spyOn(dns.promises, "lookup").mockResolvedValue(found as never),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
}
