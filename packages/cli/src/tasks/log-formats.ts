// The forms of logs: lines of access logs as text and as JSON, and HAR files (HTTP Archive 1.2), as browsers and proxies export them.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject, jsonIn } from "@roundtrip/contract";
import { httpEntry, momentOf, type HttpEntry, type LogEntry } from "./log-entry.ts";

// Text: Common and Combined Log Format (Apache, nginx, Traefik), and Envoy's default. All have the time in brackets, then the request line in quotes,
// then the status.

const time = /\[(\d{1,2}\/[A-Za-z]{3}\/\d{4}:[\d:.]{8,20} ?[+-]\d{4}|\d{4}-\d{2}-\d{2}T[^\]\s]{1,40})\]/;

const requestLine = /^([A-Z]{1,20}) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/;

/** The end of a quoted text that begins at `start`; -1 if it does not end. */
function endOfQuoted(line: string, start: number): number {
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === '"') return at;
  }
  return -1;
}

/** Text without the escapes of Apache and nginx: `\"`, and `\xHH` for one byte of UTF-8. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const parts = [...text.matchAll(/\\x([0-9A-Fa-f]{2})|\\(.)|[^\\]+/gs)];
  return Buffer.concat(
    parts.map(([part, hex, letter]) => (hex === undefined ? Buffer.from(letter ?? part) : Buffer.from(hex, "hex"))),
  ).toString();
}

/** Undefined for a line that is no request, such as one of an error log. */
export function textLine(line: string): HttpEntry | undefined {
  const found = time.exec(line);
  if (found === null) return undefined;
  const open = line.indexOf('"', found.index + found[0].length);
  const close = open === -1 ? -1 : endOfQuoted(line, open + 1);
  if (close === -1) return undefined;
  const [, method, url] = requestLine.exec(unescaped(line.slice(open + 1, close))) ?? [];
  if (method === undefined || url === undefined) return undefined;
  const status = /^\s+(\d{1,3})\b/.exec(line.slice(close + 1))?.[1];
  return httpEntry({
    time: found[1],
    method,
    url,
    status: status === undefined ? undefined : Number(status),
    mediaType: "",
    body: undefined,
  });
}

/** The members of JSON lines by what they mean, as names with dots; of several, the first that a line has. */
const usualMembers = {
  time: ["time"],
  method: ["method"],
  target: ["path", "url", "uri"],
  status: ["status"],
  "grpc-status": ["grpc_status"],
  "media-type": ["content_type"],
  body: ["request_body"],
} as const;

/** Members that replace the usual ones. */
export type FieldMap = Partial<Record<keyof typeof usualMembers, string>>;

/** The member at a path of names with dots. Of a list, the first item. */
function memberAt(json: JsonObject, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = json;
  for (const name of path.split(".")) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return Array.isArray(at) ? at[0] : at;
}

function textOf(json: JsonValue | undefined): string {
  return typeof json === "string" && json !== "-" ? json : "";
}

/** Undefined for text that is no number, such as the `-` of an unknown status. */
function statusOf(json: JsonValue | undefined): number | undefined {
  const number = typeof json === "string" && /^\d{1,3}$/.test(json) ? Number(json) : json;
  return typeof number === "number" ? number : undefined;
}

/** A call in the log of a fake; undefined for anything else. */
function recordedCall({ operation, requests, startedAt, outcome }: JsonObject): LogEntry | undefined {
  if (typeof operation !== "string" || !Array.isArray(requests)) return undefined;
  const [request] = requests;
  return {
    kind: "call",
    atMs: momentOf(startedAt),
    operation,
    request,
    isAnswered: outcome === "OK",
    lacksSecrets: false,
  };
}

/** An item of a list, or a line; undefined for one that is no request. */
export function jsonEntry(json: JsonValue | undefined, fields: FieldMap = {}): LogEntry | undefined {
  if (!isObject(json)) return undefined;
  const call = recordedCall(json);
  if (call !== undefined) return call;
  const valueOf = (field: keyof FieldMap): JsonValue | undefined => {
    const paths = fields[field] === undefined ? usualMembers[field] : [fields[field]];
    return paths.map((path) => memberAt(json, path)).find((value) => value !== undefined);
  };
  const [method, url, body] = [textOf(valueOf("method")), textOf(valueOf("target")), textOf(valueOf("body"))];
  if (method === "" || url === "") return undefined;
  const entry = httpEntry({
    time: valueOf("time"),
    method,
    url,
    status: statusOf(valueOf("status")),
    mediaType: textOf(valueOf("media-type")),
    body: body === "" ? undefined : Buffer.from(body),
  });
  // With gRPC, failed calls have HTTP status 200.
  const grpcStatus = valueOf("grpc-status");
  const isGrpcOk = /^(?:|0|ok)$/i.test(textOf(grpcStatus)) && (typeof grpcStatus !== "number" || grpcStatus === 0);
  return { ...entry, isAnswered: entry.isAnswered && isGrpcOk };
}

/** Undefined for a line that is no request. */
export function logLine(line: string, fields: FieldMap): LogEntry | undefined {
  // JavaScript counts a byte order mark as white space.
  const text = line.trim();
  return text.startsWith("{") ? jsonEntry(jsonIn(text), fields) : textLine(text);
}

function objectOf(json: JsonValue | undefined): JsonObject {
  return isObject(json) ? json : {};
}

/** Undefined for an entry without a method or a URL. */
function harEntry(entry: JsonValue): HttpEntry | undefined {
  const { request, response, startedDateTime } = objectOf(entry);
  const { method, url, postData } = objectOf(request);
  if (textOf(method) === "" || textOf(url) === "") return undefined;
  const { status } = objectOf(response);
  // A body in base64 is no part of HAR 1.2 for requests, but several programs write it with the encoding that responses have.
  const { text, encoding, mimeType } = objectOf(postData);
  return httpEntry({
    time: startedDateTime,
    method: textOf(method),
    url: textOf(url),
    status: typeof status === "number" ? status : undefined,
    mediaType: textOf(mimeType),
    body: typeof text === "string" ? Buffer.from(text, encoding === "base64" ? "base64" : "utf8") : undefined,
  });
}

/** The entries of a HAR file, undefined for each that is no request; undefined for other JSON. */
export function harEntries(json: JsonValue): readonly (HttpEntry | undefined)[] | undefined {
  const { entries } = objectOf(objectOf(json)["log"]);
  return Array.isArray(entries) ? entries.map(harEntry) : undefined;
}
