// Attacks on servers that speak HTTP/2, frame by frame: floods, calls left open, answers never read.
import { connectionPreface, frame, frameFlags as flags, frameTypes as types } from "../http2-frames.ts";
import { exchange } from "../raw-exchange.ts";
import { smallLimits, smallSettings, type Served } from "../served.ts";
import {
  type Attack,
  type ExampleStream,
  exampleStream,
  expectDropped,
  expectNotKept,
  expectThat,
} from "./connection.ts";

const opening = Buffer.concat([connectionPreface, frame(types.settings, 0, 0)]);
/** Frames of a flood that are written at once. */
const batch = 500;
/** The default maximum frame size. */
const frameBytes = 16 * 1024;

/** An attack that sends these bytes and nothing after them. */
function keepsWaiting(name: string, bytesOf: (example: ExampleStream) => Uint8Array): Attack {
  return {
    name,
    waits: true,
    async run(target) {
      const bytes = bytesOf(await exampleStream(target, ""));
      await expectDropped(target.url, () => [bytes]);
    },
  };
}

/** So many frames that a server must not keep them all. It may close the connection. */
function flood(name: string, times: number, frameAt: (at: number, example: ExampleStream) => Uint8Array): Attack {
  function* piecesOf(example: ExampleStream): Generator<Uint8Array> {
    yield opening;
    for (let at = 0; at < times; at += batch) {
      const length = Math.min(batch, times - at);
      yield Buffer.concat(Array.from({ length }, (_, index) => frameAt(at + index, example)));
    }
  }
  return {
    name,
    waits: false,
    async run(target) {
      const pieces = piecesOf(await exampleStream(target, ""));
      await exchange({ url: target.url, pieces, pauseMs: 1, listenMs: 300, isComplete: () => false });
    },
  };
}

/** Calls with large messages, each of which requests an answer as large. */
async function largeCalls(target: Served, count: number): Promise<Buffer> {
  const { headers, body } = await exampleStream(target, "x".repeat(smallLimits.maxMessageBytes - 1_024));
  const dataOf = (stream: number): readonly Buffer[] =>
    Array.from({ length: Math.ceil(body.length / frameBytes) }, (_, at) => {
      const piece = body.subarray(at * frameBytes, (at + 1) * frameBytes);
      return frame(types.data, (at + 1) * frameBytes >= body.length ? flags.endStream : 0, stream, piece);
    });
  const calls = Array.from({ length: count }, (_, at) => [begun(at, headers), ...dataOf(at * 2 + 1)]);
  return Buffer.concat(calls.flat());
}

/** The headers of call number `at`; its stream stays open. */
function begun(at: number, headers: Buffer): Buffer {
  return frame(types.headers, flags.endHeaders, at * 2 + 1, headers);
}

const noWindow = frame(types.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
/** Settings that prevent the server from sending any body. */
const closedWindow = Buffer.concat([connectionPreface, noWindow]);
/** The largest windows, for streams and the connection. */
const openWindow = Buffer.concat([
  connectionPreface,
  frame(types.settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
  frame(types.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0, 0])),
]);
/** Ends before the server drops unread answers. */
const unreadListenMs = smallLimits.maxUnreadMs;
/** How many answers may wait on one connection. */
const allowedAnswers = smallSettings.maxUnreadBytes / smallLimits.maxMessageBytes;
/** Far more than the kernel buffers for the server. */
const manyAnswers = 60;

export const http2Attacks: readonly Attack[] = [
  keepsWaiting("the preface alone is not waited for", () => connectionPreface),
  keepsWaiting("settings without a call are not waited for", () => opening),
  keepsWaiting("headers of a call that do not end are not waited for", ({ headers }) =>
    Buffer.concat([opening, frame(types.headers, 0, 1, headers)]),
  ),
  keepsWaiting("calls that are begun and left, and their connection, are not waited for", ({ headers }) =>
    Buffer.concat([opening, begun(0, headers)]),
  ),
  {
    name: "answers that nobody reads are not kept",
    waits: true,
    async run(target) {
      const calls = Math.floor(allowedAnswers / 2);
      const bytes = Buffer.concat([closedWindow, await largeCalls(target, calls)]);
      await expectNotKept(target.url, bytes, calls * smallLimits.maxMessageBytes);
    },
  },
  {
    name: "answers that are let go out and that nobody reads are not kept",
    waits: true,
    async run(target) {
      const bytes = Buffer.concat([openWindow, await largeCalls(target, manyAnswers)]);
      await expectNotKept(target.url, bytes, manyAnswers * smallLimits.maxMessageBytes);
    },
  },
  {
    name: "more answers than may wait for who does not read them end the connection",
    waits: false,
    async run(target) {
      const pieces = [Buffer.concat([closedWindow, await largeCalls(target, 2 * allowedAnswers)])];
      const listening = { pauseMs: 0, listenMs: unreadListenMs, isComplete: () => false };
      const { isClosed } = await exchange({ url: target.url, pieces, ...listening });
      expectThat(isClosed, "all of them are kept");
    },
  },
  flood("calls that are taken back at once, ten thousand times", 10_000, (at, { headers }) =>
    Buffer.concat([begun(at, headers), frame(types.reset, 0, at * 2 + 1, Buffer.from([0, 0, 0, 8]))]),
  ),
  flood("settings, twenty thousand times", 20_000, () => frame(types.settings, 0, 0)),
  flood("pings, fifty thousand times", 50_000, () => frame(types.ping, 0, 0, Buffer.alloc(8))),
  flood("headers that go on and on", 5_000, (at, { headers }) =>
    at === 0 ? frame(types.headers, 0, 1, headers) : frame(types.continuation, 0, 1, Buffer.from([0, 1, 120, 1, 121])),
  ),
  flood("calls that are begun and left", 3_000, (at, { headers }) => begun(at, headers)),
  flood("windows that never open", 2_000, (at, { headers, body }) =>
    at === 0 ? noWindow : Buffer.concat([begun(at, headers), frame(types.data, flags.endStream, at * 2 + 1, body)]),
  ),
  flood("empty frames for a call that never ends", 20_000, (at, { headers }) =>
    at === 0 ? begun(0, headers) : frame(types.data, 0, 1),
  ),
];
