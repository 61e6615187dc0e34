// What unfinished calls hold has a limit for each connection and in all, and is given back however they end.
import { create, type Message } from "@bufbuild/protobuf";
import { BytesValueSchema, ListValueSchema, StringValueSchema } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, test } from "vitest";
import {
  bytesInMemory,
  heldBy,
  heldBytes,
  maxHeldBytes,
  maxHeldBytesPerConnection,
  smallShareBytes,
} from "../src/calls/held-memory.ts";
import { EchoRequestSchema } from "../src/gen/roundtrip/v1/payload_pb.ts";
import { builtInContract, ServerCall } from "../src/index.ts";
import { serviceOf } from "../src/calls/service-of.ts";

const mebibyte = 2 ** 20;

/** Other tests of this process may have left calls unfinished. */
let before = 0;
beforeEach(() => void (before = heldBytes()));

function newlyHeld(): number {
  return heldBytes() - before;
}
const echo = builtInContract().operation("roundtrip.v1.PayloadService.Echo");
const upload = builtInContract().operation("roundtrip.v1.PayloadService.Upload");

function requestOf(bytes: number): Message {
  return create(EchoRequestSchema, { data: new Uint8Array(bytes) });
}

describe("a connection", () => {
  test("holds no more than its limit", () => {
    const memory = heldBy({});
    expect(memory.take(maxHeldBytesPerConnection)).toBe(true);
    expect(memory.take(1)).toBe(false);
    memory.giveBack(maxHeldBytesPerConnection);
    expect(newlyHeld()).toBe(0);
  });

  test("that holds little is served while others hold all they may", () => {
    const greedy = Array.from({ length: maxHeldBytes / mebibyte }, () => heldBy({}));
    const taken = greedy.filter((memory) => memory.take(mebibyte));
    expect(taken.length).toBeLessThan(greedy.length);
    const modest = heldBy({});
    expect(modest.take(mebibyte)).toBe(false);
    expect(modest.take(smallShareBytes)).toBe(true);
    modest.giveBack(smallShareBytes);
    for (const memory of taken) memory.giveBack(mebibyte);
    expect(newlyHeld()).toBe(0);
  });
});

describe("a message counts", () => {
  test.each([
    ["bytes", create(BytesValueSchema, { value: new Uint8Array(mebibyte) }), mebibyte, 1.01 * mebibyte],
    ["a text", create(StringValueSchema, { value: "x".repeat(mebibyte) }), mebibyte, 1.01 * mebibyte],
    [
      "messages",
      create(ListValueSchema, {
        values: Array.from({ length: 10_000 }, () => ({ kind: { case: "boolValue", value: true } })) as never,
      }),
      1_000_000,
      3_000_000,
    ],
  ])("%s", (_what, message, least, most) => {
    const bytes = bytesInMemory(message);
    expect(bytes).toBeGreaterThan(least);
    expect(bytes).toBeLessThan(most);
  });
});

describe("a call that waits", () => {
  const never = new Promise<never>(() => {});
  const { promise: answered, resolve: answer } = Promise.withResolvers<Message>();
  const waiting = serviceOf(builtInContract(), new Map([[echo.id, () => never]]));
  const answering = serviceOf(builtInContract(), new Map([[echo.id, () => answered]]));

  /** Begins a call on a connection of its own, and resolves to its error. */
  function begin(bytes: number, connection = {}) {
    const call = new ServerCall(undefined, undefined, connection);
    const error = Promise.resolve(waiting.call(echo, requestOf(bytes), call)).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
    return { call, error };
  }

  test("is refused, and its signal aborted, if its connection would hold too much", async () => {
    const connection = {};
    const others = Array.from({ length: 64 }, () => begin(mebibyte - 8_192, connection));
    const second = begin(mebibyte, connection);
    expect(await second.error).toBe("too many unfinished requests are held in memory: wait for their answers");
    expect(second.call.signal.aborted).toBe(true);
    for (const { call } of others) call.cancel();
    await Promise.all(others.map(({ error }) => error));
    expect(newlyHeld()).toBe(0);
  });

  test.each([
    ["is cancelled", (call: ServerCall) => call.cancel()],
    ["is late", (call: ServerCall) => call.expire()],
    ["is finished", (call: ServerCall) => call.finish()],
  ])("gives back what it holds when it %s", (_what, end) => {
    const { call, error } = begin(mebibyte);
    void error;
    expect(newlyHeld()).toBeGreaterThan(mebibyte);
    end(call);
    expect(newlyHeld()).toBe(0);
  });

  test("gives back what it holds when it is answered", async () => {
    const result = answering.call(echo, requestOf(mebibyte), new ServerCall());
    expect(newlyHeld()).toBeGreaterThan(mebibyte);
    answer(requestOf(0));
    await result;
    expect(newlyHeld()).toBe(0);
  });
});

test("a stream of requests lets others have their turns", async () => {
  const service = serviceOf(
    builtInContract(),
    new Map([
      [
        upload.id,
        async function* (received: AsyncIterable<Message>) {
          for await (const _ of received);
          yield create(upload.output);
        },
      ],
    ]),
  );
  async function* requests(): AsyncGenerator<Message> {
    const request = create(upload.input);
    for (let sent = 0; sent < 200_000; sent += 1) yield request;
  }
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for await (const _ of service.stream(upload, requests(), new ServerCall()));
  isOver = true;
  expect(turns).toBeGreaterThan(1);
});
