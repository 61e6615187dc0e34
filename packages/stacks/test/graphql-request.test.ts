// The GraphQL client on graphql-request: what it sends, and what it makes of answers.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Settings } from "../src/index.ts";
import { caught, clientOf, hello, helloService } from "./support/pair.ts";

const stack = "graphql-apollo+graphql-request";
const greeting = '{"data":{"sayHello":{"message":"Hello!"}}}';

/** A client of a server that keeps the bodies it gets. */
async function asking(answer: (response: ServerResponse) => void, settings: Settings = {}) {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      bodies.push(JSON.parse(Buffer.concat(pieces).toString()));
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = helloService(() => "");
  return { client: await clientOf(stack, service, { url, settings, maxMessageBytes: 1_000 }), bodies };
}

function send(status: number, type: string, ...pieces: readonly string[]): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { "content-type": type });
    for (const piece of pieces) response.write(piece);
    response.end();
  };
}

const query = "query sayHello($name: String!) { sayHello(name: $name) { message } }";

test.each([
  { settings: {}, sent: { query, variables: { name: "you" } } },
  {
    settings: { excludeOperationName: false },
    sent: { query, variables: { name: "you" }, operationName: "sayHello" },
  },
])("the operation name is sent only if it is not excluded ($settings)", async ({ settings, sent }) => {
  const { client, bodies } = await asking(send(200, "application/json", greeting), settings);
  expect(await hello(client, "you")).toBe("Hello!");
  expect(bodies).toEqual([sent]);
});

test.each([
  { what: "no JSON", answer: send(200, "application/json", "<html>"), status: 200, code: "UNKNOWN" },
  { what: "JSON of another kind", answer: send(200, "application/json", "[]"), status: 200, code: "UNKNOWN" },
  { what: "another media type", answer: send(200, "text/html", greeting), status: 200, code: "UNKNOWN" },
  { what: "an error page", answer: send(503, "text/html", "<html>"), status: 503, code: "UNAVAILABLE" },
])("$what is no answer", async ({ answer, status, code }) => {
  const { client } = await asking(answer);
  const error = await caught(hello(client, "you"));
  expect([error.code, error.message]).toEqual([code, `invalid GraphQL response (HTTP status ${status})`]);
});

test("an answer of unknown length is read up to the limit", async () => {
  const { client } = await asking(send(200, "application/json", greeting, " ".repeat(500)));
  expect(await hello(client, "you")).toBe("Hello!");
  const larger = await asking(send(200, "application/json", greeting, " ".repeat(1_000)));
  expect((await caught(hello(larger.client, "you"))).code).toBe("RESOURCE_EXHAUSTED");
});

test("a connection that breaks off is UNAVAILABLE", async () => {
  const { client } = await asking((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
    response.write(greeting, () => response.destroy());
  });
  expect((await caught(hello(client, "you"))).code).toBe("UNAVAILABLE");
});
