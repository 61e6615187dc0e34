// HTTP/2's windows in both directions, read from the frames themselves: a download goes by the client's, an upload by the server's.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { clientOf, hello, helloService, pairOf } from "./support/pair.ts";
import { framesIn, preface, settingsFrame, windowsSaidBy } from "./support/wire.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

/** Everything that comes from a socket, growing. */
function heardFrom(socket: Socket): { readonly bytes: Buffer } {
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])));
  socket.on("error", () => {});
  return {
    get bytes() {
      return bytes;
    },
  };
}

const kilobyte = 1_024;
/** HTTP/2's own, and 64 KB to 8 MB. */
const levels = [65_535, 64 * kilobyte, 256 * kilobyte, 1_024 * kilobyte, 4_096 * kilobyte, 8_192 * kilobyte];

test.each(levels)("a server announces a window of %i bytes for uploads", async (flowControlWindowBytes) => {
  const { server } = await pairOf("grpc-js", greeting, { serve: { settings: { flowControlWindowBytes } } });
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  const heard = heardFrom(socket);
  socket.write(Buffer.concat([preface, settingsFrame({ ack: false })]));
  const expected = { streamBytes: flowControlWindowBytes, connectionBytes: flowControlWindowBytes };
  await vi.waitFor(() => expect(windowsSaidBy(framesIn(heard.bytes))).toEqual(expected), 20_000);
});

test.each(levels)("a client announces a window of %i bytes for downloads", async (flowControlWindowBytes) => {
  const heard: { readonly bytes: Buffer }[] = [];
  const server = createServer((socket) => {
    onTestFinished(() => void socket.destroy());
    heard.push(heardFrom(socket));
    socket.write(Buffer.concat([settingsFrame({ ack: false }), settingsFrame({ ack: true })]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = await clientOf("grpc-js", greeting, { url, settings: { flowControlWindowBytes } });
  const over = new AbortController();
  const call = hello(client, "x", { signal: over.signal });
  const expected = { streamBytes: flowControlWindowBytes, connectionBytes: flowControlWindowBytes };
  await vi.waitFor(() => {
    expect(heard).toHaveLength(1);
    expect(windowsSaidBy(framesIn(heard[0]?.bytes.subarray(preface.length) ?? Buffer.alloc(0)))).toEqual(expected);
  }, 20_000);
  over.abort();
  await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
});
