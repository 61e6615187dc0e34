// Deadlines, headers and limits of the REST stack, seen from both sides of the socket.
import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { SetCustomerNameRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService } from "@roundtrip/service";
import { expect, test } from "vitest";
import { abortedHandler } from "./support/aborted-handler.ts";
import { caught } from "./support/caught.ts";
import { contract, hello, helloService } from "./support/hello.ts";
import { pairOf } from "./support/pair.ts";
import { restStack } from "./support/stacks-under-test.ts";

const setCustomerName = contract.operation("roundtrip.v1.CustomerService.SetCustomerName");

function setName(client: Client, name: string): Promise<Message> {
  return client.prepare(setCustomerName)(create(SetCustomerNameRequestSchema, { id: 1, name }));
}

test("the server keeps a deadline by itself", async () => {
  const { service, reason } = abortedHandler();
  const { server } = await pairOf(restStack, service);
  const headers = { "x-request-timeout-ms": "10" };
  const response = await fetch(`${server.url}/v1/hello?name=x`, { headers });
  expect([response.status, await response.json()]).toMatchObject([504, { code: "DEADLINE_EXCEEDED" }]);
  expect((await reason).code).toBe("DEADLINE_EXCEEDED");
});

test("a handler sees the request's headers as metadata", async () => {
  const service = helloService((_request, { metadata }) => metadata.get("accept") ?? "none");
  const { client } = await pairOf(restStack, service);
  expect(await hello(client, "x")).toBe("application/json");
});

test("a body of the largest size is served, one byte more is RESOURCE_EXHAUSTED", async () => {
  const { client } = await pairOf(restStack, realService(contract), { serve: { maxMessageBytes: 100 } });
  // {"name":"…"} is eleven bytes more than the name.
  expect(await setName(client, "x".repeat(89))).toMatchObject({ name: "x".repeat(89) });
  expect((await caught(setName(client, "x".repeat(90)))).code).toBe("RESOURCE_EXHAUSTED");
});

test("a response larger than the client allows is RESOURCE_EXHAUSTED", async () => {
  const echo = helloService(({ name }) => name);
  const { client } = await pairOf(restStack, echo, { connect: { maxMessageBytes: 114 } });
  expect(await hello(client, "x".repeat(100))).toBe("x".repeat(100));
  expect((await caught(hello(client, "x".repeat(101)))).code).toBe("RESOURCE_EXHAUSTED");
});
