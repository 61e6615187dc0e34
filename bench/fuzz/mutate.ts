// Mutates the bytes of a real exchange, blindly or inside the frame or body that holds them, so that the parser of that part is reached.
import { randomFrom as numbersFrom } from "@roundtrip/analysis/statistics";
import { connectionPreface } from "./http2-frames.ts";

export interface Random {
  /** A whole number from 0 to `end`, excluding `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  const draw = numbersFrom(seed, "fuzz");
  const below = (end: number): number => Math.floor(draw() * end);
  return { below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
}

/** Pieces that often break parsers, inserted at unexpected offsets. */
const splinters = [
  ...`% %00 %2e%2e%2f .. { } [ ] " \\ \\ud800 null -0 1e999 NaN 18446744073709551616 -1 __proto__ constructor $ {a} ... @skip(if:true)
  # & = ; , :`.split(/\s+/),
  "\r\n",
  "\r\n\r\n",
  "\0",
  "\u00ff\u00fe",
  "transfer-encoding: chunked\r\n",
  "content-encoding: gzip\r\n",
  "expect: 100-continue\r\n",
  "x-request-timeout-ms: 1\r\n",
].map((text) => Buffer.from(text, "latin1"));

function brokenOnce(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random.below(16));
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (random.below(8)) {
    case 0:
      return Buffer.concat([before, Buffer.from(piece.map((byte) => byte ^ (1 << random.below(8)))), after]);
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, ...Array.from({ length: 2 + random.below(40) }, () => piece), after]);
    case 3:
      return Buffer.concat([before, random.pick(splinters), piece, after]);
    case 4:
      return Buffer.concat([before, Buffer.from([random.pick([0, 1, 0x7f, 0x80, 0xff])]), after]);
    case 5:
      return before;
    case 6: {
      const other = random.pick(others);
      return Buffer.concat([before, other.subarray(random.below(other.length))]);
    }
    default:
      return Buffer.concat([before, random.pick(splinters), after]);
  }
}

/** Mutates one to four times. */
function broken(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  let result = bytes;
  for (let left = 1 + random.below(4); left > 0; left -= 1) result = brokenOnce(result, others, random);
  return result;
}

/** Changes the sequence of frames or pieces of a stream: cuts it short, also in the middle of one, or drops, repeats or moves one. */
function disordered(frames: readonly Buffer[], random: Random): readonly Buffer[] {
  const at = random.below(frames.length);
  const frame = frames[at] ?? Buffer.alloc(0);
  switch (random.below(4)) {
    case 0:
      return [...frames.slice(0, at), frame.subarray(0, random.below(frame.length + 1))];
    case 1:
      return frames.toSpliced(at, 1);
    case 2:
      return frames.toSpliced(
        random.below(frames.length + 1),
        0,
        ...Array.from({ length: 1 + random.below(8) }, () => frame),
      );
    default:
      return frames.toSpliced(at, 1).toSpliced(random.below(frames.length), 0, frame);
  }
}

function chunk(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

/** Mutates one chunk of a chunked body. Half of the results keep all lengths correct; the other half also reorder, repeat, drop or cut chunks. */
function mutatedChunks(body: Buffer, others: readonly Buffer[], random: Random): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const start = body.indexOf("\r\n", at) + 2;
    const length = Number.parseInt(body.toString("latin1", at, start), 16);
    if (start < 2 || !(length > 0)) break;
    chunks.push(body.subarray(start, start + length));
    at = start + length + 2;
  }
  const chosen = random.below(Math.max(1, chunks.length));
  const framed = chunks.map((bytes, index) => chunk(index === chosen ? broken(bytes, others, random) : bytes));
  const end = chunk(Buffer.alloc(0));
  return Buffer.concat(random.below(2) === 0 ? disordered([...framed, end], random) : [...framed, end]);
}

/** Mutates an HTTP/1.1 request. In half of all cases only the body changes, and its declared length stays correct. */
export function mutatedHttp(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  const split = bytes.indexOf("\r\n\r\n") + 4;
  if (split < 4 || split === bytes.length || random.below(2) === 0) return broken(bytes, others, random);
  const start = bytes.subarray(0, split).toString("latin1");
  if (/transfer-encoding: chunked/i.test(start)) {
    return Buffer.concat([bytes.subarray(0, split), mutatedChunks(bytes.subarray(split), others, random)]);
  }
  const body = broken(bytes.subarray(split), others, random);
  const head = start.replace(/content-length: \d+/i, `content-length: ${body.length}`);
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

/** Mutates the frames of a connection: a quarter at any byte; the rest reorder, cut or drop frames, or change one payload and correct its lengths. */
export function mutatedHttp2(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  if (random.below(4) === 0) return broken(bytes, others, random);
  const frames: Buffer[] = [];
  for (let at = connectionPreface.length; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    frames.push(bytes.subarray(at, at + 9 + bytes.readUIntBE(at, 3)));
  }
  if (random.below(4) === 0) return Buffer.concat([connectionPreface, ...disordered(frames, random)]);
  const chosen = random.below(frames.length);
  const rewritten = frames.map((frame, index) => {
    if (index !== chosen) return frame;
    const header = Buffer.from(frame.subarray(0, 9));
    const isMessage = header[3] === 0 && frame.length >= 14;
    const inside = broken(frame.subarray(isMessage ? 14 : 9), others, random).subarray(0, 16_000);
    const prefix = Buffer.from(frame.subarray(9, isMessage ? 14 : 9));
    if (isMessage) prefix.writeUInt32BE(inside.length, 1);
    header.writeUIntBE(prefix.length + inside.length, 0, 3);
    return Buffer.concat([header, prefix, inside]);
  });
  return Buffer.concat([connectionPreface, ...rewritten]);
}
