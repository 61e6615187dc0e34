// Lines of access logs as JSON. The names of members are those that the documentation of each program gives.
import { isObject, jsonIn } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isAnsweredBy, plainMediaType, targetOf, type LogEntry } from "./log-entry.ts";
import { momentOf } from "./log-time.ts";

/** Paths of members by what they mean: of Caddy, nginx (its variables), Envoy (as Istio names them), pino, Traefik and Google Cloud. */
const members = {
  time: ["ts", "start_time", "StartUTC", "time", "timestamp", "@timestamp", "time_iso8601", "msec", "time_local"],
  method: ["request.method", "req.method", "request_method", "method", "RequestMethod", "httpRequest.requestMethod"],
  target: ["request.uri", "req.url", "request_uri", "path", "RequestPath", "httpRequest.requestUrl", "url", "uri"],
  status: [
    "status",
    "response_code",
    "res.statusCode",
    "OriginStatus",
    "DownstreamStatus",
    "httpRequest.status",
    "statusCode",
  ],
  grpcStatus: [
    "grpc_status",
    "upstream_trailer_grpc_status",
    "sent_trailer_grpc_status",
    "sent_http_grpc_status",
    "resp_headers.Grpc-Status",
  ],
  mediaType: [
    "content_type",
    "http_content_type",
    "request.headers.Content-Type",
    "req.headers.content-type",
    "request_Content-Type",
  ],
  body: ["request_body"],
} as const;

/** The member at a path of names with dots. Of a list, the first item. */
function memberAt(json: JsonObject, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = json;
  for (const name of path.split(".")) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return Array.isArray(at) ? at[0] : at;
}

function first<T>(
  json: JsonObject,
  meaning: keyof typeof members,
  read: (value: JsonValue) => T | undefined,
): T | undefined {
  for (const path of members[meaning]) {
    const value = memberAt(json, path);
    const known = value === undefined ? undefined : read(value);
    if (known !== undefined) return known;
  }
  return undefined;
}

const textOf = (value: JsonValue): string | undefined =>
  typeof value === "string" && value !== "" && value !== "-" ? value : undefined;

function statusOf(value: JsonValue): number | undefined {
  const number = typeof value === "string" && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : undefined;
}

function positiveStatus(value: JsonValue): number | undefined {
  const status = statusOf(value);
  return status === 0 ? undefined : status;
}

/** Whether no status says that the request failed. With gRPC, failed calls have HTTP status 200. */
function isAnsweredIn(json: JsonObject): boolean {
  // A proxy that answers by itself has 0 for the server behind it, and a status of its own.
  const status = first(json, "status", positiveStatus) ?? first(json, "status", statusOf);
  const grpcStatus = first(json, "grpcStatus", (value) => (typeof value === "number" ? String(value) : textOf(value)));
  return isAnsweredBy(status) && (grpcStatus === undefined || /^(?:0|ok)$/i.test(grpcStatus));
}

function momentIn(json: JsonObject): number {
  return (
    first(json, "time", (value) => {
      const ms = momentOf(value);
      return Number.isNaN(ms) ? undefined : ms;
    }) ?? Number.NaN
  );
}

/** A call as the log of a fake has it. */
function recordedCall(json: JsonObject): LogEntry | undefined {
  const { operation, requests, startedAt, outcome } = json;
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

/** Whether a line of pino is about something else that happened during a request. */
function isBeside(json: JsonObject): boolean {
  return json["req"] !== undefined && json["res"] === undefined && json["msg"] !== "incoming request";
}

/** Undefined for a line that is no request. */
export function jsonLine(line: string): LogEntry | undefined {
  return jsonEntry(jsonIn(line));
}

/** The same for an item of a list. */
export function jsonEntry(json: JsonValue | undefined): LogEntry | undefined {
  if (!isObject(json) || isBeside(json)) return undefined;
  const call = recordedCall(json);
  if (call !== undefined) return call;
  // nginx: "$request" is the whole request line.
  const [, lineMethod, lineTarget] = /^([A-Z]+) (\S+)/.exec(textOf(json["request"] ?? null) ?? "") ?? [];
  const method = lineMethod ?? first(json, "method", textOf);
  const target = lineTarget ?? first(json, "target", textOf);
  if (method === undefined || target === undefined) return undefined;
  const body = first(json, "body", textOf);
  return {
    kind: "http",
    atMs: momentIn(json),
    request: {
      method: method.toUpperCase(),
      target: targetOf(target),
      mediaType: plainMediaType(first(json, "mediaType", textOf) ?? ""),
      body: body === undefined ? undefined : Buffer.from(body),
    },
    isAnswered: isAnsweredIn(json),
  };
}
