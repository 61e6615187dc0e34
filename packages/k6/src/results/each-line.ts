// Reads a file line by line without keeping it in memory: k6 writes gigabytes for a million calls.
import { fileFault } from "@roundtrip/runner";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { K6Error } from "../basics/k6-error.ts";

/** k6's lines have some hundred bytes. */
const mostLineBytes = 65_536;

const chunkBytes = 1 << 20;
const lineFeed = 10;

/** Called with each line, as the bytes from `start` to `end`, which are valid until it returns. Lines count from 1. */
export type OnLine = (bytes: Buffer, start: number, end: number, line: number) => void;

/** How a file ended. A complete file ends with a line feed. */
export interface FileEnd {
  readonly isCut: boolean;
  /** The number of the last line, whole or not. */
  readonly line: number;
}

/**
 * Reads all complete lines of a file, which is compressed by gzip if its name ends in `.gz`. Rejects with a K6Error `unreadable`, and with what
 * `onLine` throws.
 */
export async function eachLine(path: string, onLine: OnLine): Promise<FileEnd> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  const take = (chunk: Buffer): void => {
    // Only lines that span chunks are copied.
    const first = chunk.indexOf(lineFeed);
    if (first === -1) {
      rest = Buffer.concat([rest, chunk]);
      if (rest.length > mostLineBytes) throw tooLong(path, line + 1);
      return;
    }
    let start = 0;
    if (rest.length > 0) {
      const joined = Buffer.concat([rest, chunk.subarray(0, first)]);
      if (joined.length > mostLineBytes) throw tooLong(path, line + 1);
      onLine(joined, 0, joined.length, ++line);
      start = first + 1;
    }
    for (let end = chunk.indexOf(lineFeed, start); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      if (end - start > mostLineBytes) throw tooLong(path, line + 1);
      onLine(chunk, start, end, ++line);
      start = end + 1;
    }
    rest = Buffer.from(chunk.subarray(start));
    if (rest.length > mostLineBytes) throw tooLong(path, line + 1);
  };
  const each = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) take(chunk);
  };
  const file = createReadStream(path, { highWaterMark: chunkBytes });
  try {
    if (path.endsWith(".gz")) await pipeline(file, createGunzip({ chunkSize: chunkBytes }), each);
    else await pipeline(file, each);
  } catch (cause) {
    if (cause instanceof K6Error) throw cause;
    // The program that compressed it was killed. Everything before that has been read.
    if ((cause as NodeJS.ErrnoException).code === "Z_BUF_ERROR") return { isCut: true, line: line + 1 };
    throw new K6Error("unreadable", `cannot read ${path}: ${fileFault(cause)}`, { cause });
  }
  const isCut = rest.length > 0;
  return { isCut, line: isCut ? line + 1 : line };
}

function tooLong(path: string, line: number): K6Error {
  return new K6Error(
    "unreadable",
    `${path}:${line}: the line is longer than ${mostLineBytes / 1024} KiB, so this is not the output of k6`,
  );
}
