// What users of the REST stack can rely on, over real sockets.
import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadStack } from "../src/index.ts";
import { caught, clientOf, contract, hello, helloService, pairOf, restStack } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";
import { library } from "./support/library.ts";
import { streamingContract } from "./support/streaming-contract.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

function call(client: Client, method: string, request: Message): Promise<Message> {
  return client.prepare(contract.operation(`roundtrip.v1.CustomerService.${method}`))(request);
}

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {});

test("a creation that a gateway answers with 200 is a success", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"id":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const client = await clientOf(restStack, greeting, { url: `http://127.0.0.1:${port}` });
  const request = create(pb.CreateCustomerRequestSchema, { customer: { id: 1 } });
  expect(await call(client, "CreateCustomer", request)).toMatchObject({ id: 1 });
});

test("a server that answers something else causes an error that states it", async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url?.includes("503") === true ? 503 : 200, { "content-type": "text/html" });
    response.end("<html>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const client = await clientOf(restStack, greeting, { url: `http://127.0.0.1:${port}` });
  expect(await caught(hello(client, "x"))).toMatchObject({
    code: "UNKNOWN",
    message: "GET /v1/hello answered 200 with text/html, which is not of the contract",
  });
  const remove = create(pb.DeleteCustomerRequestSchema, { id: 1 });
  expect((await caught(call(client, "DeleteCustomer", remove))).code).toBe("UNKNOWN");
  expect(await caught(hello(client, "503"))).toMatchObject({
    code: "UNAVAILABLE",
    message: "HTTP 503: Service Unavailable",
  });
  server.close();
  server.closeAllConnections();
});

test("every operation has a notation, with its losses", async () => {
  const stack = await loadStack(restStack);
  const view = (method: string) =>
    stack.view(contract.operation(`roundtrip.v1.CustomerService.${method}`), contract).signature;
  expect(view("GetCustomer")).toBe("GET /v1/customers/{id}?readMask=");
  expect(view("UpdateCustomer")).toBe("PATCH /v1/customers/{id}?updateMask= Customer");
  expect(view("SetCustomerName")).toBe("PUT /v1/customers/{id}/name {name}");
  const move = library.operation("library.v1.Library.Move");
  expect(stack.view(move, library).signature).toBe("PUT /v1/moves/{someText} {number, colours, deeper}");
  for (const operation of streamingContract().operations) {
    expect(stack.view(operation, contract).lost.length).toBe(operation.kind === "bidi_streaming" ? 1 : 0);
  }
});

test("of two operations at one place the first keeps it, the second is where any operation is without annotations, and the view says so", async () => {
  const twice = compileContract(`
    syntax = "proto3";
    package twice.v1;
    import "google/api/annotations.proto";
    service Twice {
      rpc One(Nothing) returns (Nothing) { option (google.api.http) = {get: "/v1/{id}"}; }
      rpc Two(Nothing) returns (Nothing) { option (google.api.http) = {get: "/v1/{name}"}; }
    }
    message Nothing { string id = 1; string name = 2; }`);
  const [one, two] = ["One", "Two"].map((name) => twice.operation(`twice.v1.Twice.${name}`));
  const answer = (id: string) => () => create(twice.operation("twice.v1.Twice.One").output, { id });
  const service = serviceOf(
    twice,
    new Map([one, two].map((operation) => [operation!.id, answer(operation!.method.name)])),
  );
  const { client } = await pairOf(restStack, service);
  const stack = await loadStack(restStack);
  for (const operation of [one!, two!]) {
    // oxlint-disable-next-line no-await-in-loop
    const answered = await client.prepare(operation)(create(operation.input, { id: "1", name: "1" }));
    expect(answered).toMatchObject({ id: operation.method.name });
  }
  expect(stack.view(one!, twice)).toEqual({ signature: "GET /v1/{id}?name=", lost: [] });
  expect(stack.view(two!, twice)).toEqual({
    signature: "POST /twice.v1.Twice/Two {id, name}",
    lost: ["GET /v1/{name}: the same route as twice.v1.Twice.One, which the contract declares first"],
  });
});
