// Frames are found however TCP cuts the stream.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  answerFrame,
  echoRequest,
  FrameReader,
  isFlagged,
  learnParts,
  learnRequest,
  lengthIn,
} from "../src/floor/frames.ts";

interface Seen {
  readonly isLearn: boolean;
  readonly second: number;
  readonly bodyBytes: number;
  readonly body: string | undefined;
}

/** Reads chunk by chunk; stops after each frame when asked to, and goes on where it stopped. */
function readAll(chunks: readonly Buffer[], stopping: boolean): readonly Seen[] {
  const seen: Seen[] = [];
  let words: readonly [number, number] = [0, 0];
  const reader = new FrameReader(8, {
    begin(first, second) {
      words = [first, second];
      return isFlagged(first);
    },
    end(body) {
      const [first, second] = words;
      seen.push({ isLearn: isFlagged(first), second, bodyBytes: lengthIn(first), body: body?.toString("hex") });
      return !stopping;
    },
  });
  for (const chunk of chunks) {
    let rest = chunk;
    while (rest.length > 0) rest = rest.subarray(reader.read(rest));
  }
  return seen;
}

function cut(stream: Buffer, lengths: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const length of [...lengths, stream.length]) {
    chunks.push(stream.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

const frame = fc.record({
  learn: fc.boolean(),
  body: fc.uint8Array({ maxLength: 40 }),
  second: fc.nat(),
});

test("reads the same frames wherever the stream is cut", () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 60 })),
      fc.boolean(),
      (frames, lengths, stopping) => {
        const stream = frames.map(({ learn, body, second }) =>
          learn ? learnRequest("a.B.C", body, second) : echoRequest(body, second),
        );
        const expected = frames.map(({ learn, body, second }) => ({
          isLearn: learn,
          second,
          bodyBytes: learn ? 2 + 5 + body.length : body.length,
          body: learn ? `0005${Buffer.from("a.B.C").toString("hex")}${Buffer.from(body).toString("hex")}` : undefined,
        }));
        expect(readAll(cut(Buffer.concat(stream), lengths), stopping)).toEqual(expected);
      },
    ),
  );
});

test("reading stops after the frame at which it is asked to, and returns how far it came", () => {
  const frames = [echoRequest(Buffer.from("abc"), 1), echoRequest(Buffer.alloc(0), 2), echoRequest(Buffer.alloc(5), 3)];
  const reader = new FrameReader(8, { begin: () => false, end: () => false });
  let rest = Buffer.concat(frames);
  for (const { length } of frames) {
    expect(reader.read(rest)).toBe(length);
    rest = rest.subarray(length);
  }
});

test("a learn request is taken apart into what it was made of", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }), fc.uint8Array(), (id, request) => {
      const parts = learnParts(learnRequest(id, request, 0).subarray(8));
      expect(parts?.operationId).toBe(id);
      expect(Buffer.compare(parts?.request ?? Buffer.alloc(0), request)).toBe(0);
    }),
  );
});

test("a body that is too short for its own lengths is no learn request", () => {
  expect(learnParts(Buffer.alloc(0))).toBeUndefined();
  expect(learnParts(Buffer.from([0, 3, 65, 66]))).toBeUndefined();
  expect(learnParts(Buffer.concat([Buffer.from([8, 0]), Buffer.alloc(4096)]))).toBeUndefined();
});

test("an answer carries its length and whether it is an error", () => {
  expect(answerFrame(Buffer.from("ab"), false).toString("hex")).toBe("000000026162");
  expect(answerFrame(Buffer.from("ab"), true).toString("hex")).toBe("800000026162");
});
