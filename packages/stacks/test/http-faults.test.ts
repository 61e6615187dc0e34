// Requests that break HTTP, or that few clients send, written byte by byte: refused with a body of the style, and nothing of the server's insides.
import { describe, expect, test } from "vitest";
import {
  caught,
  graphqlStack,
  hello,
  helloService,
  pairOf,
  type PairOptions,
  restStack,
  stacksUnderTest,
  greeting,
} from "./support/pair.ts";
import { type RawAnswer, spokenTo } from "./support/wire.ts";
import { CallError } from "@roundtrip/contract";

/** What comes back of bytes, sent as they are, until the server hangs up. */
async function spoken(
  bytes: string,
  stack: string = restStack,
  options: Partial<PairOptions> = {},
): Promise<RawAnswer> {
  const { server } = await pairOf(stack, greeting, options);
  return spokenTo(server.url, bytes);
}

const closing = "connection: close\r\n\r\n";
const hostAndClose = "host: localhost\r\nconnection: close\r\n";
const get = "GET /v1/hello HTTP/1.1\r\n";
const post = "POST /v1/hello HTTP/1.1\r\n";

const refusals = [
  ["a request without Host", `${get}${closing}`, 400],
  ["a request with two Hosts", `${get}Host: localhost\r\nhOST: a\r\n${closing}`, 400],
  ["a Host of which no URL can be made", `${get}Host: 256.0.0.1\r\n${closing}`, 400],
  ["an expectation that nobody knows", `${get}Host: localhost\r\nExpect: tea\r\n${closing}`, 417],
  ["a method that nobody knows", `BREW /v1/hello HTTP/1.1\r\nHost: localhost\r\n${closing}`, 501],
  [
    "a transfer coding that nobody undoes",
    `${post}Host: localhost\r\nTransfer-Encoding: gzip, chunked\r\n${closing}0\r\n\r\n`,
    501,
  ],
  ["a tunnel", `CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n${closing}`, 501],
  ["what is no HTTP", "hello there\r\n\r\n", 400],
  ["a line end within a header", `${get}${hostAndClose}a: b\rc\r\n\r\n`, 400],
] as const;

const codes = { 400: "INVALID_ARGUMENT", 417: "INVALID_ARGUMENT", 501: "UNIMPLEMENTED" };

describe("HTTP itself refuses in the style's words", () => {
  test.for(refusals)("%s", async ([, bytes, status]) => {
    const code = codes[status];
    const rest = await spoken(bytes);
    expect(rest.head).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/i);
    expect([rest.status, JSON.parse(rest.body)]).toMatchObject([status, { status, code, type: "about:blank" }]);
    const graphql = await spoken(bytes, graphqlStack);
    expect(graphql.head).toMatch(/\r\ncontent-type: application\/graphql-response\+json\r\n/i);
    expect([graphql.status, JSON.parse(graphql.body)]).toMatchObject([status, { errors: [{ extensions: { code } }] }]);
  });
});

test("HTTP/1.0 needs no Host, and a Host may be empty or an IPv6 address with a port", async () => {
  const named = "GET /v1/hello?name=x";
  for (const bytes of [
    `${named} HTTP/1.0\r\n\r\n`,
    `${named} HTTP/1.1\r\nHost:\r\n${closing}`,
    `${named} HTTP/1.1\r\nHost: [::1]:8080\r\n${closing}`,
  ]) {
    expect(await spoken(bytes)).toMatchObject({ status: 200, body: '{"message":"Hello, x!"}' });
  }
});

test("an expectation that is refused leaves the connection to the next request", async () => {
  const refused = "GET /v1/hello HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n";
  const { server } = await pairOf(restStack, greeting);
  const next = `GET /v1/hello?name=x HTTP/1.1\r\nHost: localhost\r\n${closing}`;
  const { status, body } = await spokenTo(server.url, refused + next);
  expect(status).toBe(417);
  expect(body).toMatch(/}HTTP\/1.1 200 OK\r\n/);
});

describe("what is no HTTP gets problem details", () => {
  test("a body that declares too large a length, before it arrives", async () => {
    const put = `PUT /v1/customers/1/name HTTP/1.1\r\n${hostAndClose}`;
    const answer = await spoken(`${put}content-type: application/json\r\ncontent-length: 9000000\r\n\r\n{`);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([413, { code: "RESOURCE_EXHAUSTED" }]);
  });

  test("over TLS too", async () => {
    const answer = await spoken("hello there\r\n\r\n", restStack, { tls: true });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { code: "INVALID_ARGUMENT" }]);
  });

  test.for(["?name=\xc3\xa9", "?name=x#there", "#there"])(
    "a URL with bytes that are not percent-encoded is refused, not guessed at: %s",
    async (rest) => {
      const answer = await spoken(`GET /v1/hello${rest} HTTP/1.1\r\n${hostAndClose}\r\n`);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { code: "INVALID_ARGUMENT" }]);
    },
  );
});

describe("HTTP that few clients send is answered", () => {
  test("a whole URL as the target", async () => {
    const answer = await spoken(`GET http://localhost/v1/hello?name=x HTTP/1.1\r\n${hostAndClose}\r\n`);
    expect([answer.status, answer.body]).toEqual([200, '{"message":"Hello, x!"}']);
  });

  test("OPTIONS for the server as a whole", async () => {
    expect((await spoken(`OPTIONS * HTTP/1.1\r\n${hostAndClose}\r\n`)).status).toBe(204);
  });

  test("paths are never normalized: a path that resembles another is not found", async () => {
    for (const path of ["/v1/../v1/hello", "/v1/%2e%2e/v1/hello", "//v1/hello", "/docs/../v1/hello"]) {
      expect((await spoken(`GET ${path}?name=x HTTP/1.1\r\n${hostAndClose}\r\n`)).status).toBe(404);
    }
  });
});

// What somebody who means harm can put into a request or an error, and what does not come of it.

const pristine = Object.getOwnPropertyNames(Object.prototype);

function entriesOf(record: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(record));
}

/** As JSON.parse makes it: each key is an own property, whatever it is called. */
function treacherous<V>(value: V): Record<string, V> {
  const text = JSON.stringify(value);
  return JSON.parse(`{"__proto__":${text},"constructor":${text},"toString":${text}}`) as Record<string, V>;
}

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  test("an error's metadata may have any key", async () => {
    const metadata = treacherous("value");
    const service = helloService(() => {
      throw new CallError("ABORTED", "no", { metadata });
    });
    const { client } = await pairOf(stackName, service);
    const { details } = await caught(hello(client, "x"));
    expect(entriesOf(details.metadata)).toEqual(entriesOf(metadata));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(pristine);
  });
});

test("refusals of invalid HTTP and of express itself reveal nothing of the server's insides", async () => {
  for (const stackName of [restStack, graphqlStack]) {
    const { server } = await pairOf(
      stackName,
      helloService(() => "x"),
    );
    const { origin } = new URL(server.url);
    for (const path of ["/%", "/%ff", "/v1/hello?name=%", "/graphql?query=%"]) {
      const text = await (await fetch(`${origin}${path}`)).text();
      expect(text).not.toMatch(/node_modules|\.ts:|\.js:|at .*\(/);
    }
  }
});
