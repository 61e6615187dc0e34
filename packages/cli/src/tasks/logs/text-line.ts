// Lines of access logs as text: Common and Combined Log Format (Apache, nginx, Traefik), and the default format of Envoy. All of them have the time in
// brackets, then the request line in quotes, then the status.
import { isAnsweredBy, targetOf, type HttpEntry } from "./log-entry.ts";
import { momentOf } from "./log-time.ts";

const time = /\[(\d{1,2}\/[A-Za-z]{3}\/\d{4}:[\d:.]{8,20} ?[+-]\d{4}|\d{4}-\d{2}-\d{2}T[^\]\s]{1,40})\]/;

const requestLine = /^([A-Z]{1,20}) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/;

const plainEscapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", v: "\v", f: "\f" };

/** The end of a quoted text that begins at `start`; -1 if it does not end. */
function endOfQuoted(line: string, start: number): number {
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === '"') return at;
  }
  return -1;
}

/** Text without the escapes of Apache and nginx. `\xHH` is one byte of UTF-8. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes: Buffer[] = [];
  for (const [part, hex, letter] of text.matchAll(/\\x([0-9A-Fa-f]{2})|\\(.)|[^\\]+/gs)) {
    if (hex !== undefined) bytes.push(Buffer.from(hex, "hex"));
    else if (letter === undefined) bytes.push(Buffer.from(part));
    else bytes.push(Buffer.from(plainEscapes[letter] ?? letter));
  }
  return Buffer.concat(bytes).toString();
}

/** Undefined for a line that is no request, such as one of an error log. */
export function textLine(line: string): HttpEntry | undefined {
  const found = time.exec(line);
  if (found === null) return undefined;
  const open = line.indexOf('"', found.index + found[0].length);
  const close = open === -1 ? -1 : endOfQuoted(line, open + 1);
  if (close === -1) return undefined;
  const [, method, target] = requestLine.exec(unescaped(line.slice(open + 1, close))) ?? [];
  if (method === undefined || target === undefined) return undefined;
  const status = /^\s+(\d{1,3})\b/.exec(line.slice(close + 1))?.[1];
  return {
    kind: "http",
    atMs: momentOf(found[1]),
    request: { method, target: targetOf(target), mediaType: "", body: undefined },
    isAnswered: isAnsweredBy(status === undefined ? undefined : Number(status)),
  };
}
