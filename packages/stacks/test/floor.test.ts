// What the floor promises: true answers first, then the same number of bytes in both directions and nothing else; and how its client recognises it.
import { create, toBinary } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService, seedCustomers } from "@roundtrip/service";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  answerHeaderBytes,
  echoRequest,
  greeting as greetingBytes,
  learnRequest,
  requestHeaderBytes,
} from "../src/floor/frames.ts";
import {
  abortedHandler,
  caught,
  clientOf,
  contract,
  hello,
  helloService,
  pairOf,
  sayHello,
  greeting,
} from "./support/pair.ts";
import { clientSockets, rawSocket, urlOf } from "./support/wire.ts";
import { createServer as createHttpServer } from "node:http";
import { greetingLimitMs } from "../src/floor/client-connection.ts";

const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {
  test("a request is answered by the service once, and with the same value ever after", async () => {
    let asked = 0;
    const service = realService(contract);
    const counting = {
      ...service,
      call: (...call: Parameters<typeof service.call>) => {
        asked += 1;
        return service.call(...call);
      },
    };
    const { client } = await pairOf("floor", counting, { tls });
    const invoke = client.prepare(getCustomer);
    const request = create(GetCustomerRequestSchema, { id: 1 });
    for (let call = 0; call < 3; call += 1) expect(await invoke(request)).toStrictEqual(seedCustomers()[0]);
    expect(asked).toBe(1);
    expect(await invoke(create(GetCustomerRequestSchema, { id: 2 }))).toStrictEqual(seedCustomers()[1]);
    expect(asked).toBe(2);
  });

  test("an error arrives whole, and is asked for again every time", async () => {
    let asked = 0;
    const thrown = new CallError("NOT_FOUND", "nobody\n\u{1F600}", {
      reason: "NOBODY",
      domain: "example.com",
      metadata: { id: "1" },
      violations: [{ field: "id", description: "wrong", reason: "int32.gt" }],
    });
    const service = helloService(() => {
      asked += 1;
      throw thrown;
    });
    const { client } = await pairOf("floor", service, { tls });
    for (let call = 1; call <= 2; call += 1) {
      const { code, message, details } = await caught(hello(client, "x"));
      expect({ code, message, details }).toStrictEqual({
        code: thrown.code,
        message: thrown.message,
        details: thrown.details,
      });
      expect(asked).toBe(call);
    }
  });
});

test("an echo moves the bytes of the messages and a header in each direction", async () => {
  const sockets = clientSockets();
  const { client } = await pairOf("floor", realService(contract));
  const invoke = client.prepare(getCustomer);
  const request = create(GetCustomerRequestSchema, { id: 1 });
  const response = await invoke(request);
  const [socket] = sockets;
  const before = { read: socket?.bytesRead ?? 0, written: socket?.bytesWritten ?? 0 };
  await invoke(request);
  expect({
    written: (socket?.bytesWritten ?? 0) - before.written,
    read: (socket?.bytesRead ?? 0) - before.read,
  }).toEqual({
    written: requestHeaderBytes + toBinary(getCustomer.input, request).length,
    read: answerHeaderBytes + toBinary(getCustomer.output, response).length,
  });
});

test("a client that does not echo is an RPC: the service answers each call", async () => {
  let asked = 0;
  const counting = helloService(({ name }) => `Hello, ${name}! ${(asked += 1)}`);
  const { client } = await pairOf("floor", counting, { connect: { settings: { echoes: false } } });
  expect([await hello(client, "x"), await hello(client, "x")]).toEqual(["Hello, x! 1", "Hello, x! 2"]);
});

test("a handler sees that its caller's connection is gone", async () => {
  const { service, begun, reason } = abortedHandler();
  const { server } = await pairOf("floor", service);
  const socket = await rawSocket(server.url);
  socket.write(learnRequest(sayHello.id, Buffer.from([0x0a, 1, 0x78]), 10_000));
  await begun;
  socket.destroy();
  expect((await reason).code).toBe("CANCELLED");
});

test.each([
  { what: "another protocol", bytes: Buffer.from("GET / HTTP/1.1\r\nhost: x\r\n\r\n") },
  { what: "a learn request that is too short", bytes: Buffer.from([0x80, 0, 0, 1, 0, 0, 0, 0, 9]) },
  { what: "an echo of more than anybody was answered", bytes: echoRequest(Buffer.alloc(1), 5_000_000) },
  { what: "an echo of more than anybody may send", bytes: Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1]) },
])("$what ends its connection and no other", async ({ bytes }) => {
  const { server, client } = await pairOf("floor", greeting);
  await hello(client, "before");
  const socket = await rawSocket(server.url);
  socket.resume();
  socket.write(bytes);
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  expect(await hello(client, "after")).toBe("Hello, after!");
});

test("a client that does not read its answers is not read further, and gets everything once it reads", async () => {
  const { server } = await pairOf("floor", greeting);
  const socket = await rawSocket(server.url);
  const wanted = 1_000_000;
  const count = 200;
  // 20 MB in all, which no kernel keeps for a receiver that does not read.
  const request = echoRequest(Buffer.alloc(100_000), wanted);
  for (let index = 0; index < count; index += 1) socket.write(request);
  await sleep(50);
  expect(socket.writableLength).toBeGreaterThan(0);
  let read = 0;
  const all = greetingBytes.length + count * (wanted + answerHeaderBytes);
  await new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      read += chunk.length;
      if (read >= all) resolve();
    });
  });
  expect(read).toBe(all);
});

// A floor's client recognises a server that is not a floor, within a time limit.

afterEach(() => void vi.useRealTimers());

async function failureAt(url: string): Promise<{ readonly code: string; readonly message: string }> {
  const { code, message } = await caught(hello(await clientOf("floor", greeting, { url }), "x"));
  return { code, message };
}

test.each(["http", "tcp"])("a call to a website fails at once, because it is not a floor (%s)", async (scheme) => {
  const website = await urlOf(createHttpServer((_request, response) => response.end("Welcome")));
  const url = website.replace("http", scheme);
  const expected = { code: "UNAVAILABLE", message: `no answer from ${url}: the server is not a Roundtrip floor` };
  expect(await failureAt(url)).toEqual(expected);
});

test.each(["http", "https"])("a silent server is given up in time (%s)", async (scheme) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const server = createServer((socket) => void socket.on("error", () => undefined).resume());
  const connected = new Promise((resolve) => server.once("connection", resolve));
  const url = (await urlOf(server)).replace("http", scheme);
  const failure = failureAt(url);
  await connected;
  await vi.advanceTimersByTimeAsync(greetingLimitMs);
  expect(await failure).toEqual({
    code: "UNAVAILABLE",
    message: `no answer from ${url}: not a Roundtrip floor, no greeting within 5 s`,
  });
});
