// What HTTP itself has a server refuse is answered as everything else is: with a body of the style's own.
import { describe, expect, test } from "vitest";
import { graphqlStack, helloService, pairOf, restStack } from "./support/pair.ts";
import { type RawAnswer, spokenTo } from "./support/wire.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

async function spoken(stackName: string, bytes: string): Promise<RawAnswer> {
  const { server } = await pairOf(stackName, greeting);
  return spokenTo(server.url, bytes);
}

const closing = "connection: close\r\n\r\n";

const refusals = [
  ["a request without Host", `GET /v1/hello HTTP/1.1\r\n${closing}`, 400, "INVALID_ARGUMENT"],
  ["a request with two Hosts", `GET /v1/hello HTTP/1.1\r\nHost: a\r\nhOST: a\r\n${closing}`, 400, "INVALID_ARGUMENT"],
  ["an invalid Host", `GET /v1/hello HTTP/1.1\r\nHost: a/b\r\n${closing}`, 400, "INVALID_ARGUMENT"],
  [
    "a Host of which no URL can be made",
    `GET /v1/hello HTTP/1.1\r\nHost: 256.0.0.1\r\n${closing}`,
    400,
    "INVALID_ARGUMENT",
  ],
  [
    "an expectation that nobody knows",
    `GET /v1/hello HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n${closing}`,
    417,
    "INVALID_ARGUMENT",
  ],
  ["a method that nobody knows", `BREW /v1/hello HTTP/1.1\r\nHost: a\r\n${closing}`, 501, "UNIMPLEMENTED"],
  [
    "a transfer coding that nobody undoes",
    `POST /v1/hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n${closing}0\r\n\r\n`,
    501,
    "UNIMPLEMENTED",
  ],
  ["a tunnel", `CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n${closing}`, 501, "UNIMPLEMENTED"],
  ["what is no HTTP", "hello there\r\n\r\n", 400, "INVALID_ARGUMENT"],
] as const;

describe("REST refuses with problem details", () => {
  test.for(refusals)("%s", async ([, bytes, status, code]) => {
    const answer = await spoken(restStack, bytes);
    expect(answer.head).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/i);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { status, code, type: "about:blank" }]);
  });
});

describe("GraphQL refuses with a GraphQL error", () => {
  test.for(refusals)("%s", async ([, bytes, status, code]) => {
    const answer = await spoken(graphqlStack, bytes);
    expect(answer.head).toMatch(/\r\ncontent-type: application\/graphql-response\+json\r\n/i);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { errors: [{ extensions: { code } }] }]);
  });
});

test("HTTP/1.0 needs no Host, and a Host may be empty or an IPv6 address with a port", async () => {
  const get = "GET /v1/hello?name=x";
  for (const bytes of [
    `${get} HTTP/1.0\r\n\r\n`,
    `${get} HTTP/1.1\r\nHost:\r\n${closing}`,
    `${get} HTTP/1.1\r\nHost: [::1]:8080\r\n${closing}`,
  ]) {
    expect(await spoken(restStack, bytes)).toMatchObject({ status: 200, body: '{"message":"Hello, x!"}' });
  }
});

test("an expectation that is refused leaves the connection to the next request", async () => {
  const refused = "GET /v1/hello HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n";
  const { server } = await pairOf(restStack, greeting);
  const next = `GET /v1/hello?name=x HTTP/1.1\r\nHost: a\r\n${closing}`;
  const { status, body } = await spokenTo(server.url, refused + next);
  expect(status).toBe(417);
  expect(body).toMatch(/}HTTP\/1.1 200 OK\r\n/);
});
