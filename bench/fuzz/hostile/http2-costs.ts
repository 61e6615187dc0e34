// Attacks over HTTP/2 that cost a server of gRPC with its usual limits much time or memory: requests at once that become large, tiny pieces, unfinished
// requests.
import { fromJson, toBinary } from "@bufbuild/protobuf";
import { framed } from "@roundtrip/styles/fuzzing";
import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { connectionPreface, frame, frameFlags as flags, frameTypes as types } from "../http2-frames.ts";
import { exchange } from "../raw-exchange.ts";
import type { Served } from "../served.ts";
import { type Attack, echoOf, exampleStream, expectThat, operationNamed } from "./connection.ts";
import { costlyValues, packings, packingsOf } from "./costly-bodies.ts";

/** The calls of one attack, all on one connection. */
const atOnce = 20;

/** For answers to much work on a busy machine: a server that never answers is what is found. */
const patienceMs = 120_000;

const largestBytes = 4 * 1024 * 1024;
/** All of the largest message but its last byte. */
const halfMessage = framed(Buffer.alloc(largestBytes - 5)).subarray(0, -1);
const connections = 4;
const callsPerConnection = 50;
/** With all calls, more than may wait. */
const waitingBytes = 1_300_000;
/** How long unfinished calls are left. */
const leftMs = 1_000;

async function sessionTo({ url }: Served): Promise<ClientHttp2Session> {
  // A client of Node.js receives nothing while it has much to send.
  const session = connect(url, { maxSessionMemory: Number.MAX_SAFE_INTEGER });
  session.on("error", () => {});
  await once(session, "connect");
  return session;
}

type Method = Parameters<typeof operationNamed>[0];

function begin(session: ClientHttp2Session, method: Method, headers: Readonly<Record<string, string>> = {}) {
  const stream = session.request({
    ":method": "POST",
    ":path": `/roundtrip.conformance.v1.ConformanceService/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  return stream.on("error", () => {});
}

/** Resolves to the gRPC status of a call when it is over; -1 without one. */
async function statusOf(stream: ClientHttp2Stream): Promise<number> {
  let status = -1;
  const read = (headers: Readonly<Record<string, unknown>>): void => {
    if (headers["grpc-status"] !== undefined) status = Number(headers["grpc-status"]);
  };
  stream.on("response", read).on("trailers", read).resume();
  await once(stream, "close");
  return status;
}

const permissionDenied = 7;
/** UNKNOWN, INTERNAL and DATA_LOSS. */
const faults: ReadonlySet<number> = new Set([2, 13, 15]);

/** Makes calls with this body on one connection. Throws if one does not end, or with the server blaming itself. */
async function callAtOnce(
  target: Served,
  method: Method,
  encoding: string,
  body: Buffer,
  calls: number,
): Promise<void> {
  const session = await sessionTo(target);
  try {
    const headers = encoding === "identity" ? {} : { "grpc-encoding": encoding };
    const statuses = Array.from({ length: calls }, async () => {
      const stream = begin(session, method, headers);
      stream.end(body);
      return statusOf(stream);
    });
    const over = await Promise.race([Promise.all(statuses), sleep(patienceMs)]);
    expectThat(over !== undefined, "calls do not end");
    for (const status of over ?? []) expectThat(!faults.has(status), `the server blames itself: grpc-status ${status}`);
  } finally {
    session.destroy();
  }
}

function packed(encoding: string, message: Buffer): Buffer {
  const pack = packings[encoding] as (body: Buffer) => Buffer;
  return framed(pack(message)).fill(encoding === "identity" ? 0 : 1, 0, 1);
}

/** Leaves calls open that have sent this, over many connections, for a while. */
async function leaveOpen(target: Served, piece: Buffer, isWhole: boolean): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: connections }, () => sessionTo(target)));
  try {
    for (const session of sessions) {
      for (let call = 0; call < callsPerConnection; call += 1) {
        const stream = begin(session, "Echo").resume();
        if (isWhole) stream.end(piece);
        else stream.write(piece);
      }
    }
    await sleep(leftMs);
  } finally {
    for (const session of sessions) session.destroy();
  }
}

const tinyFrames = 60_000;

export const http2Costs: readonly Attack[] = [
  ...costlyValues.protobuf.flatMap(({ name, values }, at) =>
    packingsOf(at).map(([encoding]) => ({
      name: `${atOnce} calls at once with ${name}: ${encoding}`,
      waits: false,
      run: (target: Served) => callAtOnce(target, "Echo", encoding, packed(encoding, values() as Buffer), atOnce),
    })),
  ),
  {
    name: "a stream of messages without content",
    waits: false,
    run: (target) => callAtOnce(target, "Upload", "identity", Buffer.alloc(4_000_000, framed(Buffer.alloc(0))), 2),
  },
  {
    name: "a message in tens of thousands of frames of a byte",
    waits: false,
    async run(target) {
      const { headers } = await exampleStream(target, "");
      const bytes = framed(Buffer.alloc(2 * tinyFrames)).subarray(0, tinyFrames);
      const frames = Array.from(bytes, (byte) => frame(types.data, 0, 1, Buffer.of(byte)));
      const start = [
        connectionPreface,
        frame(types.settings, 0, 0),
        frame(types.headers, flags.endHeaders, 1, headers),
      ];
      const pieces = [Buffer.concat([...start, ...frames])];
      await exchange({ url: target.url, pieces, pauseMs: 0, listenMs: 500, isComplete: () => false });
    },
  },
  {
    name: `${connections * callsPerConnection} calls with all of a large message but its last byte`,
    waits: false,
    run: (target) => leaveOpen(target, halfMessage, false),
  },
  {
    name: `${connections * callsPerConnection} calls with more than a megabyte that wait`,
    waits: false,
    async run(target) {
      const { input } = operationNamed("Echo");
      const message = toBinary(input, fromJson(input, echoOf(`waits${"x".repeat(waitingBytes)}`)));
      await leaveOpen(target, framed(Buffer.from(message)), true);
    },
  },
  {
    name: "a call for another host is refused",
    waits: false,
    async run(target) {
      const session = await sessionTo(target);
      try {
        const stream = begin(session, "Echo", { ":authority": "evil.example" });
        stream.end(framed(Buffer.alloc(0)));
        const status = await statusOf(stream);
        expectThat(status === permissionDenied, `grpc-status ${status}`);
      } finally {
        session.destroy();
      }
    },
  },
];
