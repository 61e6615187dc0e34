// Lines of access logs, as the documentation of each program shows them.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logLine, textLine, type FieldMap } from "../src/tasks/log-formats.ts";

const at = Date.UTC(2025, 4, 12, 9, 0, 1);

const pad = (value: number, digits = 2): string => String(value).padStart(digits, "0");
const monthNames = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** The `%t` of Apache, in a zone. */
function clfTime(ms: number, zoneMinutes: number): string {
  const local = new Date(ms + zoneMinutes * 60_000);
  const [sign, size] = [zoneMinutes < 0 ? "-" : "+", Math.abs(zoneMinutes)];
  const day = `${pad(local.getUTCDate())}/${monthNames[local.getUTCMonth()]}/${pad(local.getUTCFullYear(), 4)}`;
  const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map((part) => pad(part)).join(":");
  return `[${day}:${time} ${sign}${pad(Math.floor(size / 60))}${pad(size % 60)}]`;
}

/** As Apache writes text between quotes: quotes and backslashes escaped, everything else beyond ASCII as bytes. */
function escaped(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
      return byte < 0x20 || byte > 0x7e ? `\\x${byte.toString(16).padStart(2, "0")}` : String.fromCharCode(byte);
    })
    .join("");
}

const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => !/[\s/?#\p{C}]/u.test(text));

describe("a line of the Combined Log Format", () => {
  it("gives back the method, path, status and moment that were written, whatever the other fields have", () => {
    const line = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"),
      target: fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join("/")}`),
      status: fc.integer({ min: 100, max: 599 }),
      second: fc.integer({ min: 0, max: 4_102_444_800 }),
      zoneMinutes: fc.integer({ min: -14 * 60, max: 14 * 60 }),
      user: fc.constantFrom("-", "frank", "frank o'neill"),
      agent: fc.string({ unit: "grapheme", maxLength: 30 }),
      host: fc.constantFrom("192.0.2.7", "2001:db8::1", "shop.example:443 192.0.2.7"),
    });
    fc.assert(
      fc.property(line, ({ method, target, status, second, zoneMinutes, user, agent, host }) => {
        const text = `${host} - ${user} ${clfTime(second * 1_000, zoneMinutes)} "${escaped(`${method} ${target} HTTP/1.1`)}" ${status} 512 "${escaped(agent)}" "${escaped(agent)}"`;
        expect(textLine(text)).toEqual({
          kind: "http",
          atMs: second * 1_000,
          request: { method, target, mediaType: "", body: undefined },
          isAnswered: status < 400,
        });
      }),
    );
  });

  it.each([
    [
      "of Apache",
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326',
      Date.UTC(2000, 9, 10, 20, 55, 36),
    ],
    [
      "of Traefik",
      '10.0.0.1 - - [12/May/2025:09:00:01 +0000] "GET /apache_pb.gif HTTP/1.1" 200 2 "-" "-" 1 "shop@docker" "http://10.0.0.2:80" 3ms',
      at,
    ],
  ])("is read %s", (_, line, ms) => {
    expect(textLine(line)).toMatchObject({
      atMs: ms,
      isAnswered: true,
      request: { method: "GET", target: "/apache_pb.gif" },
    });
  });

  it.each([
    "",
    '2025/05/12 09:00:01 [error] 31#31: *1 open() failed, request: "GET / HTTP/1.1"',
    '192.0.2.7 - - [12/May/2025:09:00:01 +0000] "" 400 0',
    '192.0.2.7 - - [12/May/2025:09:00:01 +0000] "\\x16\\x03\\x01" 400 226',
    '192.0.2.7 - - [12/May/2025:09:00:01 +0000] "GET /a',
    `192.0.2.7 - - [12/May/2025:09:00:01 +0000] "${"\\".repeat(100_000)}`,
  ])("is not a request: %s", (line) => {
    expect(textLine(line)).toBeUndefined();
  });
});

const jsonLine = (json: object, fields: FieldMap = {}) => logLine(JSON.stringify(json), fields);

describe("a line of JSON", () => {
  const request = { method: "GET", target: "/v1/things/7?page=1" };

  it("is read by the usual names of its members", () => {
    const json = { time: "2025-05-12T11:00:01+02:00", method: "get", url: "https://shop.example/v1/things/7?page=1" };
    expect(jsonLine(json)).toMatchObject({ kind: "http", atMs: at, isAnswered: true, request });
    const body = { path: "/v1/things", request_body: '{"id":"7"}', content_type: "application/json; charset=utf-8" };
    expect(jsonLine({ ...json, ...body })).toMatchObject({
      request: { target: "/v1/things", mediaType: "application/json", body: Buffer.from('{"id":"7"}') },
    });
  });

  it("is read by the names of --fields, at any depth", () => {
    const caddy = {
      ts: at / 1_000,
      request: { method: "GET", uri: "/v1/things/7?page=1", headers: { "Content-Type": ["text/plain"] } },
      status: 404,
    };
    const fields = {
      time: "ts",
      method: "request.method",
      target: "request.uri",
      "media-type": "request.headers.Content-Type",
    };
    expect(jsonLine(caddy, fields)).toMatchObject({
      atMs: at,
      isAnswered: false,
      request: { ...request, mediaType: "text/plain" },
    });
  });

  it.each([
    ["without an answer", { status: 0 }, false],
    ["with an HTTP error", { status: 404 }, false],
    ["with a gRPC error by its number", { status: 200, grpc_status: 5 }, false],
    ["with a gRPC error by its name", { status: 200, grpc_status: "Unavailable" }, false],
    ["with gRPC's OK by its number", { status: "200", grpc_status: "0" }, true],
    ["that is not gRPC", { status: 200, grpc_status: "-" }, true],
    ["whose status is unknown", { status: "" }, true],
  ])("is a request %s", (_, status, isAnswered) => {
    expect(jsonLine({ method: "POST", path: "/shop.v1.Shop/GetThing", ...status })).toMatchObject({ isAnswered });
  });

  it.each(["{", "{}", "[]", "null", '{"msg":"started"}', '{"__proto__":{"method":"GET","path":"/"}}'])(
    "is not a request: %s",
    (line) => {
      expect(logLine(line, {})).toBeUndefined();
    },
  );
});
