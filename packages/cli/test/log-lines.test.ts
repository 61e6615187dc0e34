// Lines of access logs, as the documentation of each program shows them.
import { describe, expect, it } from "vitest";
import { logLine, textLine, type FieldMap } from "../src/tasks/log-formats.ts";

const at = Date.UTC(2025, 4, 12, 9, 0, 1);

describe("a line of the Combined Log Format", () => {
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
    [
      "with escaped bytes and quotes",
      String.raw`2001:db8::1 - frank o'neill [12/May/2025:11:00:01 +0200] "GET /apache_pb.gif HTTP/1.1" 304 2 "-" "a \"b\" \x1b"`,
      at,
    ],
  ])("is read %s", (_, line, ms) => {
    expect(textLine(line)).toMatchObject({
      atMs: ms,
      isAnswered: true,
      request: { method: "GET", target: "/apache_pb.gif" },
    });
  });

  it("has its escapes as the characters that were sent", () => {
    const text = String.raw`192.0.2.7 - - [12/May/2025:09:00:01 +0000] "GET /a\"b\xc3\xa9\\ HTTP/1.1" 200 2`;
    expect(textLine(text)).toMatchObject({ request: { target: '/a"bé\\' } });
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
