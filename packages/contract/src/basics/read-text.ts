// Reads text files that people and their tools have written. Some editors begin a file in UTF-8 with a byte order mark, which is not part of the text
// (https://www.rfc-editor.org/rfc/rfc8259#section-8.1 lets readers of JSON ignore it).
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

const mark = [0xef, 0xbb, 0xbf];

/** The bytes after a byte order mark; all bytes if there is none. */
export function afterMark(bytes: Uint8Array): Uint8Array {
  return mark.every((byte, at) => bytes[at] === byte) ? bytes.subarray(mark.length) : bytes;
}

/** The text in UTF-8, without a byte order mark. */
export function textFrom(bytes: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = afterMark(bytes);
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}

/** The text of a file, without a byte order mark. Rejects with the error of the file system. */
export async function readText(path: string): Promise<string> {
  return textFrom(await readFile(path));
}

/** The same at once. */
export function readTextNow(path: string): string {
  return textFrom(readFileSync(path));
}
