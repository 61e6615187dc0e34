// What calls, servers and clients of every stack can be relied on for, beyond the conformance cases: how they begin and end, what is on the wire, and services
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  caught,
  certificate,
  clientOf,
  contract,
  hello,
  helloService,
  pairOf,
  stacksUnderTest,
  greeting,
} from "./support/pair.ts";
import { create } from "@bufbuild/protobuf";
import { loadServe, loadStack, serveDefaults } from "../src/index.ts";
import { clientSockets, countingRelay, framesIn, openingRelay, preface, settingsFrame, urlOf } from "./support/wire.ts";
import { serviceOf } from "@roundtrip/contract/service";
import { compileContract } from "./support/compile-contract.ts";
import { realService } from "@roundtrip/service";
import dns from "node:dns";
import { createServer, type Socket } from "node:net";

const transports = [
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
];

// How servers and clients of every stack begin and end.

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  test("a server listens on loopback, and its URL states whether it speaks TLS", async () => {
    for (const tls of [false, true]) {
      const { server } = await pairOf(stackName, greeting, { tls });
      const { protocol, hostname } = new URL(server.url);
      expect([protocol, hostname]).toEqual([tls ? "https:" : "http:", "127.0.0.1"]);
    }
  });

  test("a client that closes while a connection opens leaves none open", async () => {
    const { server } = await pairOf(stackName, greeting, { tls: true });
    const relay = await openingRelay(server.url);
    const client = await clientOf(stackName, greeting, { url: relay.url, ca: (await certificate).ca });
    expect((await caught(hello(client, "x", { timeoutMs: 50 }))).code).toBe("DEADLINE_EXCEEDED");
    const closed = client.close();
    relay.open();
    await closed;
    await expect(relay.ended).resolves.toBeUndefined();
  });

  test("a port in use is reported in one line with what to do", async () => {
    const { server } = await pairOf(stackName, greeting);
    const port = Number(new URL(server.url).port);
    const serve = await loadServe(stackName);
    await expect(serve(greeting, { ...serveDefaults, port })).rejects.toMatchObject({
      code: "cannot-listen",
      message: `cannot listen on 127.0.0.1:${port}: the port is taken; choose another, or 0 for any free one`,
    });
  });

  test("a server that is not there is UNAVAILABLE, over TLS too, and is found when it comes back", async () => {
    for (const tls of [false, true]) {
      const { server, client } = await pairOf(stackName, greeting, { tls });
      const { origin, host, port } = new URL(server.url);
      await server.close();
      const { code, message } = await caught(hello(client, "x"));
      expect([code, message]).toEqual(["UNAVAILABLE", `no answer from ${origin}: connect ECONNREFUSED ${host}`]);
      if (tls) continue;
      const serve = await loadServe(stackName);
      const again = await serve(greeting, { ...serveDefaults, port: Number(port) });
      const back = await clientOf(stackName, greeting, { url: again.url });
      expect(await hello(back, "x")).toBe("Hello, x!");
      await back.close();
      await again.close();
    }
  });

  test("an untrusted certificate is UNAVAILABLE, and no call is sent", async () => {
    const { server } = await pairOf(stackName, greeting, { tls: true });
    const client = await clientOf(stackName, greeting, { url: server.url });
    const { code, message } = await caught(hello(client, "x"));
    expect(code).toBe("UNAVAILABLE");
    expect(message).toContain(`no answer from ${new URL(server.url).origin}: self-signed certificate`);
  });
});

// A server whose service is replaced while it runs: nobody is refused, nothing is lost, and what comes next is the new one's.

const shop = compileContract(`
syntax = "proto3";
package shop.v1;
service Shop { rpc Buy(Order) returns (Order); }
message Order { string item = 1; }
`);
const [buy] = shop.operations;
if (buy === undefined) throw new Error("the contract has an operation");
const orderOf = (item: string) => create(buy.input, { item });
const shopService = serviceOf(shop, new Map([[buy.id, () => orderOf("bought")]]));

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  test("a call in flight ends with the service that it began with, the next one on the same client is the new one's", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const before = helloService(async () => {
      begin();
      await sleep(50);
      return "before";
    });
    const { server, client } = await pairOf(stackName, before);
    const call = hello(client, "early");
    await begun;
    await server.replace(helloService(() => "after"));
    expect(await hello(client, "late")).toBe("after");
    expect(await call).toBe("before");
  });

  test("another contract takes the place of the first one, and goes again", async () => {
    const { server, client } = await pairOf(stackName, greeting);
    await hello(client, "x");
    await server.replace(shopService);
    const { code } = await caught(hello(client, "y"));
    // What GraphQL's schema does not have is an invalid document.
    expect(["UNIMPLEMENTED", "INVALID_ARGUMENT"]).toContain(code);
    const shopper = await clientOf(stackName, shopService, { url: server.url });
    expect(await shopper.prepare(buy)(orderOf("tea"))).toMatchObject({ item: "bought" });
    await server.replace(greeting);
    expect(await hello(client, "z")).toBe("Hello, z!");
  });

  test("calls that are made all the while are answered, each by one service or the other", async () => {
    const { server, client } = await pairOf(
      stackName,
      helloService(() => "0"),
    );
    const over = new AbortController();
    const heard: string[] = [];
    const callers = Array.from({ length: 4 }, async (_, caller) => {
      for (let call = 0; !over.signal.aborted; call += 1) heard.push(await hello(client, `${caller} ${call}`));
    });
    for (let version = 1; version <= 20; version += 1) {
      await server.replace(helloService(() => String(version)));
      await hello(client, `version ${version}`);
    }
    over.abort();
    await Promise.all(callers);
    expect(heard.length).toBeGreaterThan(20);
    expect(heard.every((text) => /^\d+$/.test(text))).toBe(true);
  });
});

// What every stack's client does on the wire: the sockets that can be counted are those that carry the bytes, over TLS too.

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  test.each(transports)(
    "over $over, its client's sockets count every byte on the wire, and nothing else",
    async ({ tls }) => {
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
    },
  );

  test.each(transports)(
    "over $over, a name is reached at its second address when the first does not answer",
    async ({ tls }) => {
      const service = realService(contract);
      const { server } = await pairOf(stackName, service, { tls });
      twoAddresses("::1", "127.0.0.1");
      const url = server.url.replace("127.0.0.1", "localhost");
      const client = await clientOf(stackName, service, { url, ca: tls ? (await certificate).ca : undefined });
      expect(await hello(client, "World")).toBe("Hello, World!");
    },
  );
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

// What a client waits for on a new connection before it sends its first call is what its stack declares.

const headersType = 1;

/** A server that sends only what the test asks it to, and the bytes that it receives of a call, which is cancelled after the test. */
async function calledServer(stack: string) {
  let heard = Buffer.alloc(0);
  let caller: Socket | undefined;
  const server = createServer((socket) => {
    caller = socket;
    socket.on("data", (chunk: Buffer) => (heard = Buffer.concat([heard, chunk])));
  });
  const client = await clientOf(stack, greeting, { url: await urlOf(server) });
  const over = new AbortController();
  const call = hello(client, "somebody", { signal: over.signal });
  onTestFinished(async () => {
    over.abort();
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  });
  return { heard: () => heard, say: (bytes: Buffer) => void caller?.write(bytes) };
}

const declared = await Promise.all(
  stacksUnderTest().map(async ({ name }) => [name, (await loadStack(name)).connectRoundTrips] as const),
);

test.each(declared.filter(([, roundTrips]) => roundTrips === 0))(
  "%s sends its call before the server has sent anything",
  async (stack) => {
    const { heard } = await calledServer(stack);
    await vi.waitFor(() => expect(heard().toString("latin1")).toMatch(/somebody|SayHello|\/v1\/hello/), 20_000);
  },
);

test.each(declared.filter(([, roundTrips]) => roundTrips === 1))(
  "%s sends its call once it has the server's settings",
  async (stack) => {
    const { heard, say } = await calledServer(stack);
    const types = (): readonly number[] => framesIn(heard().subarray(preface.length)).map(({ type }) => type);
    await vi.waitFor(() => expect(types()).not.toEqual([]), 20_000);
    // Long enough for a call that waits for nothing.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(types()).not.toContain(headersType);
    say(settingsFrame({ ack: false }));
    await vi.waitFor(() => expect(types()).toContain(headersType), 20_000);
  },
);
