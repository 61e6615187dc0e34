// Attacks on the server that speaks HTTP/2, frame by frame where no client library would do it.
import { connect, type IncomingHttpHeaders } from "node:http2";
import { gzipSync } from "node:zlib";
import {
  connectionPreface,
  frame,
  frameFlags as flags,
  frameTypes as types,
  grpcHeaders,
  grpcMessage,
} from "../http2-frames.ts";
import { exchange } from "../raw-exchange.ts";
import { smallLimits, smallUnreadBytes, type Served } from "../served.ts";
import { expectThat, type Attack } from "./attack.ts";
import { expectDropped } from "./dropped.ts";
import { floodOfConnections } from "./flood.ts";
import { silence } from "./silence.ts";
import { expectNotKept } from "./unread.ts";

const styles = ["grpc"] as const;
const echo = "/roundtrip.conformance.v1.ConformanceService/Echo";
/** Far longer than an answer takes. */
const patienceMs = 8_000;
const opening = Buffer.concat([connectionPreface, frame(types.settings, 0, 0)]);
/** Frames of a flood that are written at once. */
const batch = 500;

/** What the call was answered with: the canonical status, or what happened to the stream or connection instead. */
function statusOf(url: string, payload: Uint8Array, encoding: string): Promise<string> {
  return new Promise((resolve) => {
    const session = connect(new URL(url).origin);
    const finish = (status: string): void => {
      clearTimeout(timer);
      session.destroy();
      resolve(status);
    };
    const timer = setTimeout(() => finish("silence"), patienceMs);
    session.on("error", () => finish("hung up"));
    session.on("close", () => finish("hung up"));
    const stream = session.request({
      ":method": "POST",
      ":path": echo,
      "content-type": "application/grpc",
      te: "trailers",
      "grpc-encoding": encoding,
    });
    const look = (headers: IncomingHttpHeaders): void => {
      const status = headers["grpc-status"];
      if (status !== undefined) finish(String(status));
    };
    stream.on("response", look);
    stream.on("trailers", look);
    stream.on("error", () => finish("reset"));
    stream.on("data", () => {});
    stream.end(payload);
  });
}

/** One call that means no good, answered as refused (or cut off), and never as a fault of the server. */
function refuses(name: string, payloadOf: () => Uint8Array, encoding = "identity"): Attack {
  return {
    name,
    styles,
    waits: false,
    async run({ url }) {
      const status = await statusOf(url, payloadOf(), encoding);
      expectThat(!["0", "2", "silence"].includes(status), `the answer is ${status}`);
    },
  };
}

/** A connection on which no more than this comes. */
function keepsWaiting(name: string, bytes: Uint8Array): Attack {
  return { name, styles, waits: true, run: ({ url }) => expectDropped(url, () => [bytes]) };
}

/** Frames in such number that a server which kept them all would suffer; that the connection is closed over it is fine. */
function flood(name: string, times: number, frameAt: (at: number) => Uint8Array): Attack {
  function* pieces(): Generator<Uint8Array> {
    yield opening;
    for (let at = 0; at < times; at += batch) {
      yield Buffer.concat(Array.from({ length: Math.min(batch, times - at) }, (_, index) => frameAt(at + index)));
    }
  }
  return {
    name,
    styles,
    waits: false,
    async run({ url }: Served) {
      await exchange({ url, pieces: pieces(), pauseMs: 1, listenMs: 300, isComplete: () => false });
    },
  };
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** A message of the Tree type that holds itself this deep, inside Values and the request. */
function deepTree(levels: number): Uint8Array {
  // From the inside out, headers alone are kept: their lengths are known once what is inside is.
  const headers: Buffer[] = [];
  let length = 0;
  const wrap = (field: number): void => {
    const header = Buffer.concat([Buffer.from([(field << 3) | 2]), varint(length)]);
    headers.push(header);
    length += header.length;
  };
  for (let at = 0; at < levels; at += 1) wrap(2);
  wrap(8);
  wrap(1);
  return Buffer.concat(headers.toReversed());
}

function wrapped(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(bytes.length), bytes]);
}

/** Calls that ask for a large answer each. */
function largeCalls(count: number): Buffer {
  const text = Buffer.alloc(smallLimits.maxMessageBytes - 1_024, "x");
  // values.presence.text, as in the attack above.
  const message = grpcMessage(wrapped(1, wrapped(2, wrapped(5, text))));
  const most = 16 * 1024;
  const dataOf = (stream: number): readonly Buffer[] =>
    Array.from({ length: Math.ceil(message.length / most) }, (_, at) => {
      const piece = message.subarray(at * most, (at + 1) * most);
      return frame(types.data, (at + 1) * most >= message.length ? flags.endStream : 0, stream, piece);
    });
  return Buffer.concat(
    Array.from({ length: count }, (_, at) => [
      frame(types.headers, flags.endHeaders, at * 2 + 1, grpcHeaders(echo)),
      ...dataOf(at * 2 + 1),
    ]).flat(),
  );
}

/** Settings by which no call's answer may be sent yet. */
const closedWindow = Buffer.concat([connectionPreface, frame(types.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]))]);
/** The widest that there is, on the connection too. */
const openWindow = Buffer.concat([
  connectionPreface,
  frame(types.settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
  frame(types.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0, 0])),
]);
/** Before answers have waited too long. */
const unreadListenMs = smallLimits.maxUnreadMs / 2;

export const grpcAttacks: readonly Attack[] = [
  silence(styles),
  floodOfConnections(styles),
  refuses("a message that is larger than allowed is refused", () =>
    grpcMessage(Buffer.alloc(smallLimits.maxMessageBytes + 1)),
  ),
  refuses("a length of four gigabytes is not believed", () => Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3])),
  refuses(
    "a message that grows a thousandfold when it is unpacked is refused",
    () => grpcMessage(gzipSync(Buffer.alloc(64 * 1024 * 1024)), true),
    "gzip",
  ),
  refuses("what is said to be packed and is not is refused", () => grpcMessage(Buffer.from("no gzip"), true), "gzip"),
  refuses("a packing that nobody knows is refused", () => grpcMessage(Buffer.from("x"), true), "rot13"),
  refuses("a message that goes ages deep is refused", () => grpcMessage(deepTree(20_000))),
  refuses("text that is no UTF-8 is refused", () =>
    // values.presence.text of two bytes.
    grpcMessage(Buffer.from([0x0a, 0x06, 0x12, 0x04, 0x2a, 0x02, 0xc3, 0x28])),
  ),
  refuses("a message cut short is refused", () => grpcMessage(Buffer.from([0x0a, 0x20, 0x12])).subarray(0, 7)),
  refuses("two messages for a call that takes one are refused", () =>
    Buffer.concat([grpcMessage(Buffer.alloc(0)), grpcMessage(Buffer.alloc(0))]),
  ),
  keepsWaiting("the preface alone is not waited for", connectionPreface),
  keepsWaiting("settings without a call are not waited for", opening),
  keepsWaiting(
    "headers of a call that do not end are not waited for",
    Buffer.concat([opening, frame(types.headers, 0, 1, grpcHeaders(echo))]),
  ),
  keepsWaiting(
    "calls that are begun and left, and their connection, are not waited for",
    Buffer.concat([opening, frame(types.headers, flags.endHeaders, 1, grpcHeaders(echo))]),
  ),
  keepsWaiting(
    "connections whose call is over are closed in the end",
    Buffer.concat([
      opening,
      frame(types.headers, flags.endHeaders, 1, grpcHeaders(echo)),
      frame(types.data, flags.endStream, 1, grpcMessage(Buffer.alloc(0))),
    ]),
  ),
  {
    name: "answers that nobody reads are not kept",
    styles,
    waits: true,
    run: ({ url }) => {
      const calls = Math.floor(smallUnreadBytes / smallLimits.maxMessageBytes / 2);
      return expectNotKept(url, Buffer.concat([closedWindow, largeCalls(calls)]), calls * smallLimits.maxMessageBytes);
    },
  },
  {
    name: "answers that are let go out and that nobody reads are not kept",
    styles,
    waits: true,
    // Far more than the kernel buffers for the server.
    run: ({ url }) => expectNotKept(url, Buffer.concat([openWindow, largeCalls(60)]), 60 * smallLimits.maxMessageBytes),
  },
  {
    name: "more answers than may wait for who does not read them end the connection",
    styles,
    waits: false,
    async run({ url }) {
      const calls = (2 * smallUnreadBytes) / smallLimits.maxMessageBytes;
      const pieces = [Buffer.concat([closedWindow, largeCalls(calls)])];
      const { isClosed } = await exchange({
        url,
        pieces,
        pauseMs: 0,
        listenMs: unreadListenMs,
        isComplete: () => false,
      });
      expectThat(isClosed, "all of them are kept");
    },
  },
  flood("calls that are taken back at once, ten thousand times", 10_000, (at) =>
    Buffer.concat([
      frame(types.headers, flags.endHeaders, at * 2 + 1, grpcHeaders(echo)),
      frame(types.reset, 0, at * 2 + 1, Buffer.from([0, 0, 0, 8])),
    ]),
  ),
  flood("settings, twenty thousand times", 20_000, () => frame(types.settings, 0, 0)),
  flood("pings, fifty thousand times", 50_000, () => frame(types.ping, 0, 0, Buffer.alloc(8))),
  flood("headers that go on and on", 5_000, (at) =>
    at === 0
      ? frame(types.headers, 0, 1, grpcHeaders(echo))
      : frame(types.continuation, 0, 1, Buffer.from([0, 1, 120, 1, 121])),
  ),
  flood("calls that are begun and left", 3_000, (at) =>
    frame(types.headers, flags.endHeaders, at * 2 + 1, grpcHeaders(echo)),
  ),
  flood("windows that never open", 2_000, (at) =>
    at === 0
      ? frame(types.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]))
      : Buffer.concat([
          frame(types.headers, flags.endHeaders, at * 2 + 1, grpcHeaders(echo)),
          frame(types.data, flags.endStream, at * 2 + 1, grpcMessage(Buffer.alloc(0))),
        ]),
  ),
  flood("empty frames for a call that never ends", 20_000, (at) =>
    at === 0 ? frame(types.headers, flags.endHeaders, 1, grpcHeaders(echo)) : frame(types.data, 0, 1),
  ),
];
