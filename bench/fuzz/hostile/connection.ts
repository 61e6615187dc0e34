// What attacks are made of: their type, valid calls to corrupt, floods, and connections that are dropped or never read.
import { type JsonObject, fromJson } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { captured } from "../captured-calls.ts";
import { frameFlags, framesIn, frameTypes } from "../http2-frames.ts";
import { exchange, openSocket } from "../raw-exchange.ts";
import { type Served, longestListenMs, smallLimits } from "../served.ts";

export interface Attack {
  /** The action and its expected result, for reports and tests. */
  readonly name: string;
  /** True if the attack mostly waits for limits of the server. Such attacks run together. */
  readonly waits: boolean;
  /** Throws an Error with what the server did instead of answering or closing the connection within its limits. */
  readonly run: (target: Served) => Promise<void>;
}

export function expectThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

const contract = conformanceContract();

export function operationNamed(method: "Echo" | "Look" | "Upload") {
  return contract.operation(`roundtrip.conformance.v1.ConformanceService.${method}`);
}

export function echoOf(text: string): JsonObject {
  return { values: { presence: { text } } };
}

/** Everything that the client sends over a connection of its own. */
export async function exampleCall(
  { stackName, url }: Served,
  method: Parameters<typeof operationNamed>[0] = "Echo",
  request: JsonObject = echoOf("example"),
): Promise<Buffer> {
  const operation = operationNamed(method);
  const message = fromJson(operation.input, request, { registry: contract.registry });
  const bytes = await captured(stackName, url, { operation, requests: [message], metadata: new Map() });
  if (bytes.length === 0) throw new Error(`${stackName} does not support ${method}`);
  return bytes;
}

/** An Echo call: its self-contained header block, and its body. */
export interface ExampleStream {
  readonly headers: Buffer;
  readonly body: Buffer;
}

export async function exampleStream(target: Served, text: string): Promise<ExampleStream> {
  const frames = framesIn(await exampleCall(target, "Echo", echoOf(text)));
  const first = frames.find(({ type }) => type === frameTypes.headers);
  if (first === undefined || (first.flags & frameFlags.endHeaders) === 0)
    throw new Error("a call begins with whole headers");
  const body = frames.filter(({ type, stream }) => type === frameTypes.data && stream === first.stream);
  return { headers: first.payload, body: Buffer.concat(body.map(({ payload }) => payload)) };
}

/** Concurrent senders of each kind. */
const senders = 6;
const pauseMs = 100;

export function* slowly(start: Uint8Array | string, piece: string, times: number): Generator<Uint8Array | string> {
  yield start;
  for (let at = 0; at < times; at += 1) yield piece;
}

/** Throws if the server does not close one of several connections that send these pieces. */
export async function expectDropped(url: string, pieces: () => Iterable<Uint8Array | string>): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: senders }, () =>
      exchange({ url, pieces: pieces(), pauseMs, listenMs: longestListenMs, isComplete: () => false }),
    ),
  );
  const open = answers.filter(({ isClosed }) => !isClosed).length;
  expectThat(open === 0, `${open} of ${answers.length} slow senders are still connected`);
}

const attempts = smallLimits.maxConnections * 3;
const settleMs = 400;

export const floodOfConnections: Attack = {
  name: "more connections than the limit are hung up on",
  waits: false,
  async run({ url }) {
    const sockets = Array.from({ length: attempts }, () => openSocket(url));
    // Waits until the server has seen all connections.
    const open = (): number => sockets.filter((socket) => !socket.closed && !socket.destroyed).length;
    for (let waitedMs = 0; waitedMs < longestListenMs && open() > smallLimits.maxConnections; waitedMs += settleMs) {
      await sleep(settleMs);
    }
    const left = open();
    for (const socket of sockets) socket.destroy();
    await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => once(socket, "close")));
    expectThat(
      left <= smallLimits.maxConnections,
      `${left} connections are open, allowed are ${smallLimits.maxConnections}`,
    );
    await sleep(settleMs);
  },
};

/** Node.js checks a connection twice before it closes it. Twice that, because a busy server takes long to answer at all. */
const unreadMs = 2 * (2 * smallLimits.maxUnreadMs) + smallLimits.maxHeadersMs;
const patienceMs = 3_000;

/** Throws if the server keeps the connection, or all answers, of a caller that has not read for a long time. */
export async function expectNotKept(url: string, requests: Uint8Array, answersBytes: number): Promise<void> {
  const socket = openSocket(url).pause();
  const closed = new Promise<boolean>((resolve) => {
    socket.once("end", () => resolve(true)).once("close", () => resolve(true));
  });
  socket.write(requests);
  await sleep(unreadMs);
  let bytes = 0;
  socket.on("data", (chunk) => (bytes += chunk.length)).resume();
  const isClosed = await Promise.race([closed, sleep(patienceMs, false)]);
  socket.destroy();
  expectThat(isClosed, "who read nothing is still connected");
  expectThat(bytes < answersBytes, "answers were kept for who read nothing");
}
