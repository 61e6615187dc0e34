// Streamed bodies over HTTP/1.1 by every client library.
import { describe, expect, test } from "vitest";
import type { HttpStream } from "../../styles/src/shared/http/client.ts";
import { caught } from "./support/pair.ts";
import { httpClients, type Listener, servedFor, streamed } from "./support/http-clients.ts";

async function* pieces(): AsyncGenerator<Buffer> {
  yield Buffer.from("one");
  yield Buffer.from("two");
}

async function textOf(body: HttpStream["body"]): Promise<string> {
  const received: Buffer[] = [];
  for await (const piece of body) received.push(piece);
  return Buffer.concat(received).toString();
}

describe.each(httpClients)("$library", ({ connect }) => {
  const served = (listener: Listener) => servedFor(connect, listener);

  test.each(["POST", "DELETE"])("a stream goes out with %s, and its end with it", async (method) => {
    const { client } = await served((request, response) => void request.pipe(response));
    const { body } = await streamed(client, { method, body: pieces() });
    expect(await textOf(body)).toBe("onetwo");
  });

  test("an answer before the end of the request is read, and ends the request and its connection", async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await served((request, response) => {
      request.socket.once("close", closed.resolve);
      response.writeHead(400).end("no more");
    });
    const ended = Promise.withResolvers<void>();
    const endless = async function* () {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        ended.resolve();
      }
    };
    const answer = await streamed(client, { method: "POST", body: endless() });
    expect([answer.status, await textOf(answer.body)]).toEqual([400, "no more"]);
    await Promise.all([ended.promise, closed.promise]);
  });

  /** A stream whose server sends one piece and then nothing, and a promise for the end of its request. */
  async function unfinished() {
    const ended = Promise.withResolvers<void>();
    const { client } = await served((_request, response) => {
      response.once("close", ended.resolve);
      response.write("one");
    });
    const { body } = await streamed(client);
    return { iterator: body[Symbol.asyncIterator](), ended: ended.promise };
  }

  test("a reader who stops before the first piece ends the request at once", async () => {
    const { iterator, ended } = await unfinished();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    await ended;
  });

  test("a reader who stops after a piece gets no error, though more has come", async () => {
    const { client } = await served((_request, response) => void response.end(Buffer.alloc(8_000_000)));
    const { body } = await streamed(client);
    const received: Buffer[] = [];
    for await (const piece of body) {
      received.push(piece);
      break;
    }
    expect(received).toHaveLength(1);
  });

  test("a reader who stops while the next piece is awaited ends the request at once", async () => {
    const { iterator, ended } = await unfinished();
    await iterator.next();
    const awaited = iterator.next();
    const stopped = iterator.return?.();
    expect((await caught(awaited)).code).toBe("CANCELLED");
    expect(await stopped).toEqual({ done: true, value: undefined });
    await ended;
  });

  test("streams that follow each other go over one connection, whose windows have grown", async () => {
    const { client, server } = await served((request, response) => {
      request.resume().once("end", () => response.end("a piece of the answer"));
    });
    let connections = 0;
    server.on("connection", () => (connections += 1));
    for (let round = 0; round < 4; round += 1) {
      await textOf((await streamed(client)).body);
      await textOf((await streamed(client, { method: "POST", body: pieces() })).body);
    }
    expect(connections).toBe(1);
  });
});
