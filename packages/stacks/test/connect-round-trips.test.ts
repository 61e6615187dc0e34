// What a client waits for on a new connection before it sends its first call is what its stack declares.
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadStack } from "../src/index.ts";
import { clientOf, hello, helloService, stacksUnderTest } from "./support/pair.ts";
import { framesIn, preface, settingsFrame } from "./support/wire.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);
const headersType = 1;

/** A server that sends only what the test asks it to, and the bytes that it receives of a call, which is cancelled after the test. */
async function calledServer(stack: string) {
  let heard = Buffer.alloc(0);
  let caller: Socket | undefined;
  const server = createServer((socket) => {
    caller = socket;
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => (heard = Buffer.concat([heard, chunk])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = await clientOf(stack, greeting, { url });
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
