// Deadlines, cancellation, limits and shutdown of the REST stack, seen from both sides of the socket.
import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { SetCustomerNameRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService } from "@roundtrip/service";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { abortedHandler, opened } from "./support/aborted-handler.ts";
import { caught } from "./support/caught.ts";
import { contract, hello, helloService } from "./support/hello.ts";
import { pairOf } from "./support/pair.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);
const setCustomerName = contract.operation("roundtrip.v1.CustomerService.SetCustomerName");

function setName(client: Client, name: string): Promise<Message> {
  return client.prepare(setCustomerName)(create(SetCustomerNameRequestSchema, { id: 1, name }));
}

test("a deadline fails the call on both sides", async () => {
  const { service, reason } = abortedHandler();
  const { client } = await pairOf("rest-express", service);
  await opened(client);
  const error = await caught(hello(client, "x", { timeoutMs: 100 }));
  expect([error.code, error.message]).toEqual(["DEADLINE_EXCEEDED", "deadline exceeded"]);
  expect((await reason).code).toMatch(/^(DEADLINE_EXCEEDED|CANCELLED)$/);
});

test("the server keeps a deadline by itself", async () => {
  const { service, reason } = abortedHandler();
  const { server } = await pairOf("rest-express", service);
  const headers = { "x-request-timeout-ms": "10" };
  const response = await fetch(`${server.url}/v1/hello?name=x`, { headers });
  expect([response.status, await response.json()]).toMatchObject([504, { code: "DEADLINE_EXCEEDED" }]);
  expect((await reason).code).toBe("DEADLINE_EXCEEDED");
});

test("no work is begun for a call whose time is up, and a deadline ages away harms nobody", async () => {
  const { client } = await pairOf("rest-express", greeting);
  expect((await caught(hello(client, "x", { timeoutMs: 0 }))).code).toBe("DEADLINE_EXCEEDED");
  expect(await hello(client, "x", { timeoutMs: 2 ** 45 })).toBe("Hello, x!");
});

test("an aborted call fails as CANCELLED on both sides", async () => {
  const { service, begun, reason } = abortedHandler();
  const { client } = await pairOf("rest-express", service);
  const controller = new AbortController();
  const calling = caught(hello(client, "x", { signal: controller.signal }));
  await begun;
  controller.abort();
  const { code, message } = await calling;
  expect([code, message]).toEqual(["CANCELLED", "the caller cancelled the call"]);
  expect((await reason).code).toBe("CANCELLED");
  expect((await caught(hello(client, "x", { signal: controller.signal }))).code).toBe("CANCELLED");
});

test("a handler that has answered never sees its signal abort", async () => {
  let signal: AbortSignal | undefined;
  const service = helloService(async (_request, context) => {
    ({ signal } = context);
    await sleep(1);
    return "done";
  });
  const { client } = await pairOf("rest-express", service);
  await hello(client, "x");
  await hello(client, "x", { timeoutMs: 100 });
  await sleep(120);
  expect(signal?.aborted).toBe(false);
});

test("a handler sees the request's headers as metadata", async () => {
  const service = helloService((_request, { metadata }) => metadata.get("accept") ?? "none");
  const { client } = await pairOf("rest-express", service);
  expect(await hello(client, "x")).toBe("application/json");
});

test("a body of the largest size is served, one byte more is RESOURCE_EXHAUSTED", async () => {
  const { client } = await pairOf("rest-express", realService(contract), { serve: { maxMessageBytes: 100 } });
  // {"name":"…"} is eleven bytes more than the name.
  expect(await setName(client, "x".repeat(89))).toMatchObject({ name: "x".repeat(89) });
  expect((await caught(setName(client, "x".repeat(90)))).code).toBe("RESOURCE_EXHAUSTED");
});

test("a response larger than the client allows is RESOURCE_EXHAUSTED", async () => {
  const echo = helloService(({ name }) => name);
  const { client } = await pairOf("rest-express", echo, { connect: { maxMessageBytes: 114 } });
  expect(await hello(client, "x".repeat(100))).toBe("x".repeat(100));
  expect((await caught(hello(client, "x".repeat(101)))).code).toBe("RESOURCE_EXHAUSTED");
});

test("closing a server finishes calls in flight and refuses new ones", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const service = helloService(async () => {
    begin();
    await sleep(50);
    return "finished";
  });
  const { server, client } = await pairOf("rest-express", service, { serve: { shutdownGraceMs: 20_000 } });
  const calling = hello(client, "x");
  await begun;
  await server.close();
  expect(await calling).toBe("finished");
  expect((await caught(hello(client, "x"))).code).toBe("UNAVAILABLE");
});

test("closing a server cuts off what outlasts the grace time", async () => {
  const { service, begun, reason } = abortedHandler();
  const { server, client } = await pairOf("rest-express", service, { serve: { shutdownGraceMs: 20 } });
  const calling = caught(hello(client, "x"));
  await begun;
  await server.close();
  expect((await calling).code).toBe("UNAVAILABLE");
  expect((await reason).code).toBe("CANCELLED");
});
