// Answers to bytes that are not valid HTTP, and to HTTP that few clients send, written byte by byte over a socket.
import { describe, expect, test } from "vitest";
import { helloService, pairOf, type PairOptions, restStack } from "./support/pair.ts";
import { type RawAnswer, spokenTo } from "./support/wire.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

/** Sends bytes as they are, and resolves to what has come back when the server hangs up. */
async function spoken(bytes: string, options: Partial<PairOptions> = {}): Promise<RawAnswer> {
  const { server } = await pairOf(restStack, greeting, options);
  return spokenTo(server.url, bytes);
}

const host = "host: x\r\nconnection: close\r\n";

describe("what is no HTTP gets problem details", () => {
  test.for([
    ["other words", "hello there\r\n\r\n", 400, "INVALID_ARGUMENT"],
    ["a header without a colon", `GET /v1/hello HTTP/1.1\r\n${host}nonsense\r\n\r\n`, 400, "INVALID_ARGUMENT"],
    ["a line end within a header", `GET /v1/hello HTTP/1.1\r\n${host}a: b\rc\r\n\r\n`, 400, "INVALID_ARGUMENT"],
    [
      "two lengths",
      `POST /v1/hello HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
      400,
      "INVALID_ARGUMENT",
    ],
    [
      "headers without end",
      `GET /v1/hello HTTP/1.1\r\n${host}a: ${"x".repeat(70_000)}\r\n\r\n`,
      431,
      "RESOURCE_EXHAUSTED",
    ],
  ] as const)("%s", async ([, bytes, status, code]) => {
    const answer = await spoken(bytes);
    expect(answer.head).toMatch(/content-type: application\/problem\+json/i);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { status, code }]);
  });

  test("a body that declares too large a length, before it arrives", async () => {
    const put = `PUT /v1/customers/1/name HTTP/1.1\r\n${host}`;
    const answer = await spoken(`${put}content-type: application/json\r\ncontent-length: 9000000\r\n\r\n{`);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([413, { code: "RESOURCE_EXHAUSTED" }]);
  });

  test("over TLS too", async () => {
    const answer = await spoken("hello there\r\n\r\n", { tls: true });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { code: "INVALID_ARGUMENT" }]);
  });

  test.for(["?name=\xc3\xa9", "?name=x#there", "#there"])(
    "a URL with bytes that are not percent-encoded is refused, not guessed at: %s",
    async (rest) => {
      const answer = await spoken(`GET /v1/hello${rest} HTTP/1.1\r\n${host}\r\n`);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { code: "INVALID_ARGUMENT" }]);
    },
  );
});

describe("HTTP that few clients send is answered", () => {
  test("a whole URL as the target", async () => {
    const answer = await spoken(`GET http://example.com/v1/hello?name=x HTTP/1.1\r\n${host}\r\n`);
    expect([answer.status, answer.body]).toEqual([200, '{"message":"Hello, x!"}']);
  });

  test("OPTIONS for the server as a whole", async () => {
    expect((await spoken(`OPTIONS * HTTP/1.1\r\n${host}\r\n`)).status).toBe(204);
  });

  test("paths are never normalized: a path that resembles another is not found", async () => {
    for (const path of ["/v1/../v1/hello", "/v1/%2e%2e/v1/hello", "//v1/hello", "/docs/../v1/hello"]) {
      expect((await spoken(`GET ${path}?name=x HTTP/1.1\r\n${host}\r\n`)).status).toBe(404);
    }
  });
});
