// Texts that people type: reads files without their byte order mark, and finds the known name that is closest to a typed one. A separate entry,
// `@roundtrip/contract/text`, because measured processes do not need it.
import { distance } from "fastest-levenshtein";
import { readBytes } from "./regular-files.ts";

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

/** The text of a file, without a byte order mark. Throws a FileRefusal, or the system's error. */
export function readText(path: string, mostBytes: number): string {
  return textFrom(readBytes(path, mostBytes));
}

/** How well a name fits, best first; of several that begin with the typed text, the one that is listed first. */
const same = 0;
const beginning = 1;
const containing = 2;
const different = 3;

function fitOf(name: string, typed: string): number {
  // A part of a name identifies it; a single letter occurs in too many.
  if (typed.length < 3) return different;
  if (name === typed) return same;
  if (name.startsWith(typed)) return beginning;
  return name.includes(typed) ? containing : different;
}

/** Nobody types a longer name, and its distance from each known one would take long. */
const maxTypedCharacters = 200;

/** The closest name; undefined if none is close enough to be a typing error. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > maxTypedCharacters) return undefined;
  const lower = typed.toLowerCase();
  const ranked = known
    .map((name) => {
      const fit = fitOf(name.toLowerCase(), lower);
      return { name, fit, edits: fit === beginning ? 0 : distance(lower, name.toLowerCase()) };
    })
    .toSorted((a, b) => a.fit - b.fit || a.edits - b.edits);
  const [best] = ranked;
  if (best === undefined) return undefined;
  const fewEdits = Math.min(Math.max(2, best.name.length / 3), typed.length - 1);
  return best.fit !== different || best.edits <= fewEdits ? best.name : undefined;
}

/** How many characters must be inserted, removed or replaced to make one text of the other. Of a text that nobody types, all. */
export function editDistance(one: string, other: string): number {
  const longer = Math.max(one.length, other.length);
  return longer > maxTypedCharacters ? longer : distance(one, other);
}

/** The end of an error message about an unknown name: `; did you mean "hello"?`, or nothing. */
export function suggestion(typed: string, known: readonly string[]): string {
  const nearest = nearestName(typed, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

/** Whether a text is as a pattern says, in which `*` stands for any characters. */
export function matchesStars(pattern: string, text: string): boolean {
  const [begin = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return pattern === text;
  if (!text.startsWith(begin)) return false;
  // Parts between two stars are searched from left to right: the first match leaves the most for the next.
  let at = begin.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - end.length >= at && text.endsWith(end);
}
