// Who keeps a server waiting: silence, idleness and slowness have an end on every style, and a stream that makes progress has none.
import { create } from "@bufbuild/protobuf";
import {
  DownloadRequestSchema,
  EchoRequestSchema,
  EchoResponseSchema,
  UploadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ServeOptions } from "../src/index.ts";
import { caught, graphqlStack, grpcStack, pairOf, restStack } from "./support/pair.ts";
import { bareCall, clientSockets, preface, rawSocket, settingsFrame } from "./support/wire.ts";
import { conformanceService, download, item, operationNamed, upload } from "./support/streams.ts";

const styles = [grpcStack, restStack, graphqlStack] as const;
const maxRequestMs = 400;

/** Small enough to be waited for. */
const small: Partial<ServeOptions> = {
  maxHeadersMs: 300,
  maxRequestMs,
  maxUnreadMs: 400,
  settings: { maxConnectionIdleMs: 300 },
};

const service = conformanceService({
  async echo({ values }) {
    await sleep(1.5 * maxRequestMs);
    return create(EchoResponseSchema, values === undefined ? {} : { values });
  },
  async *download() {
    yield item({ index: 0 });
    await sleep(1.5 * maxRequestMs);
    yield item({ index: 1 });
  },
  async upload(requests) {
    let count = 0;
    for await (const _ of requests) count += 1;
    return create(UploadResponseSchema, { count });
  },
});

/** Resolves to true when the server has hung up on who sends these bytes and no more. */
async function hungUpOn(url: string, bytes: Uint8Array, tls: "plain" | "in TLS" | "below TLS"): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const to = { host: hostname, port: Number(port) };
  const socket =
    tls === "in TLS"
      ? connectTls({ ...to, rejectUnauthorized: false, ALPNProtocols: ["h2", "http/1.1"] })
      : connect(to);
  onTestFinished(() => {
    socket.destroy();
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {}).resume();
  socket.write(bytes);
  await closed;
  return socket.destroyed;
}

describe.each(styles)("%s", (stackName) => {
  test.each(["plain", "below TLS", "in TLS"] as const)("a silent client is disconnected (%s)", async (tls) => {
    const { server } = await pairOf(stackName, service, { tls: tls !== "plain", serve: small });
    expect(await hungUpOn(server.url, Buffer.alloc(0), tls)).toBe(true);
  });

  test("a connection without calls is closed, and the next call opens another", async () => {
    const sockets = clientSockets();
    // Without the short limits of a request: on a busy machine, a first call may take longer.
    const { client } = await pairOf(stackName, service, { serve: { settings: { maxConnectionIdleMs: 300 } } });
    const echo = client.prepare(operationNamed("Echo"));
    await echo(create(EchoRequestSchema));
    const [first] = [...sockets];
    if (first !== undefined && !first.destroyed) await once(first, "close");
    await echo(create(EchoRequestSchema));
    // Not exactly two: on a busy machine, a client may find one closed again before it has used it.
    expect(sockets.size).toBeGreaterThan(1);
  });

  test("a slow handler is not ended, nor is a slow stream of answers", async () => {
    const { client } = await pairOf(stackName, service, { serve: small });
    expect(await client.prepare(operationNamed("Echo"))(create(EchoRequestSchema))).toMatchObject({});
    const indexes: number[] = [];
    for await (const { index } of download(client, create(DownloadRequestSchema, { count: 2 }))) indexes.push(index);
    expect(indexes).toEqual([0, 1]);
  });
});

describe.each(styles)("%s", (stackName) => {
  test("a stream of answers that its caller stops reading is ended, and so is its handler", async () => {
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const endless = conformanceService({
      async *download() {
        try {
          for (let index = 0; ; index += 1) yield item({ index, data: new Uint8Array(64 * 1024) });
        } finally {
          resolve("ended");
        }
      },
    });
    const { client } = await pairOf(stackName, endless, { serve: small });
    const answers = download(client, create(DownloadRequestSchema))[Symbol.asyncIterator]();
    expect(await answers.next()).toMatchObject({ value: { index: 0 } });
    expect(await ended).toBe("ended");
    await answers.return?.();
  });
});

async function* paced(pauses: readonly number[]) {
  for (const pauseMs of pauses) {
    await sleep(pauseMs);
    yield { data: new Uint8Array(10) };
  }
}

describe.each([grpcStack, restStack])("%s", (stackName) => {
  test("a stream of requests lasts as long as there is another in time", async () => {
    const longer = 2 * maxRequestMs;
    const { client } = await pairOf(stackName, service, { serve: { ...small, maxRequestMs: longer } });
    const pauses = Array.from({ length: 12 }, () => longer / 8);
    expect(await upload(client, paced(pauses))).toMatchObject({ count: 12 });
  });

  test("one that makes the server wait for the next ends as DEADLINE_EXCEEDED, though the caller set no deadline", async () => {
    const { client } = await pairOf(stackName, service, { serve: small });
    const failure = await caught(upload(client, paced([0, 0, 60_000])));
    expect([failure.code, failure.message]).toEqual(["DEADLINE_EXCEEDED", "the request took too long to arrive"]);
    expect(await upload(client, paced([0, 0]))).toMatchObject({ count: 2 });
  });

  test("time passes for the caller alone: a handler may take its own with each request", async () => {
    const slow = conformanceService({
      async upload(requests) {
        let count = 0;
        for await (const _ of requests) {
          count += 1;
          await sleep(1.5 * maxRequestMs);
        }
        return create(UploadResponseSchema, { count });
      },
    });
    const { client } = await pairOf(stackName, slow, { serve: small });
    expect(await upload(client, paced([0, 0]))).toMatchObject({ count: 2 });
  });
});

const head = (length: number) =>
  `POST /v1/items HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${length}\r\n\r\n`;

async function answerTo(url: string, pieces: readonly string[], pauseMs: number): Promise<string> {
  const socket = await rawSocket(url);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const piece of pieces) {
    if (!socket.writable) break;
    socket.write(piece);
    // oxlint-disable-next-line no-await-in-loop
    await sleep(pauseMs);
  }
  await closed;
  return text;
}

describe("REST", () => {
  const pieces = [head(1_000), '{"index":1}\n', ...Array.from({ length: 40 }, () => " ")];

  test("a line that comes a byte at a time is answered with 408, and the connection is closed", async () => {
    const { server } = await pairOf(restStack, service, { serve: small });
    const text = await answerTo(server.url, pieces, 50);
    expect(text).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*"code":"DEADLINE_EXCEEDED"/i);
  });

  test("what comes after an early answer has an end", async () => {
    const early = conformanceService({ upload: () => create(UploadResponseSchema, { count: 7 }) });
    const { server } = await pairOf(restStack, early, { serve: small });
    const text = await answerTo(server.url, pieces, 50);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("gRPC", () => {
  const path = "/roundtrip.conformance.v1.ConformanceService";

  test("a client that reads slowly gets the whole answer", async () => {
    const bytes = 600_000;
    const large = conformanceService({
      echo: () => create(EchoResponseSchema, { values: { presence: { text: "x".repeat(bytes) } } }),
    });
    const { server } = await pairOf(grpcStack, large, { serve: { ...small, maxUnreadMs: 1_000 } });
    const stream = bareCall(server.url, `${path}/Echo`).end(Buffer.alloc(5));
    let received = 0;
    for await (const chunk of stream) {
      received += (chunk as Buffer).length;
      // Much longer than the limit in all.
      await sleep(50);
    }
    expect(received).toBeGreaterThan(bytes);
  });

  test.each([
    ["the preface alone", preface],
    ["settings and no call", Buffer.concat([preface, settingsFrame({ ack: false })])],
    // HEADERS without END_HEADERS.
    [
      "headers that do not end",
      Buffer.concat([preface, settingsFrame({ ack: false }), Buffer.from([0, 0, 1, 1, 0, 0, 0, 0, 1, 0x83])]),
    ],
  ])("%s is not waited for", async (_what, bytes) => {
    const { server } = await pairOf(grpcStack, service, { serve: small });
    expect(await hungUpOn(server.url, bytes, "plain")).toBe(true);
  });

  test.each(["Echo", "Download", "NoSuchMethod"])(
    "%s: a request that does not come is not waited for",
    async (name) => {
      const { server } = await pairOf(grpcStack, service, { serve: small });
      const stream = bareCall(server.url, `${path}/${name}`);
      const closed = once(stream, "close");
      const [headers] = (await once(stream, "response")) as [Readonly<Record<string, unknown>>];
      expect(headers["grpc-status"]).toBe(name === "NoSuchMethod" ? "12" : "4");
      stream.resume();
      await closed;
    },
  );
});
