// What users of the gRPC stack can rely on, over real sockets.
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { CustomerSchema, GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService, seedCustomers } from "@roundtrip/service";
import { connect as connectHttp2 } from "node:http2";
import { describe, expect, onTestFinished, test } from "vitest";
import { flowControlWindowBytes } from "../src/shared/http2/http2-settings.ts";
import { caught } from "./support/caught.ts";
import { clientSockets } from "./support/client-sockets.ts";
import { contract, hello, helloService } from "./support/hello.ts";
import { clientOf, pairOf } from "./support/pair.ts";
import { streamingContract } from "./support/streaming-contract.ts";
import { grpcStack } from "./support/stacks-under-test.ts";

const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const greeting = helloService(({ name }) => `Hello, ${name}!`);

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {
  test("a call answers with the very values that the service gave", async () => {
    const { client } = await pairOf(grpcStack, realService(contract), { tls });
    const answer = await client.prepare(getCustomer)(create(GetCustomerRequestSchema, { id: 1 }));
    expect(answer).toStrictEqual(seedCustomers()[0]);
  });

  test("a read mask picks attributes", async () => {
    const { client } = await pairOf(grpcStack, realService(contract), { tls });
    const request = create(GetCustomerRequestSchema, { id: 1, readMask: { paths: ["mail"] } });
    const answer = await client.prepare(getCustomer)(request);
    expect(answer).toStrictEqual(create(CustomerSchema, { mail: "wil@example.co.nl" }));
  });
});

test("half a surrogate pair in a message does not stop the error", async () => {
  const service = helloService(() => {
    throw new CallError("ABORTED", "half \uD83D");
  });
  const { client } = await pairOf(grpcStack, service);
  const error = await caught(hello(client, "x"));
  expect([error.code, error.message]).toEqual(["ABORTED", "half \uFFFD"]);
});

test("an error too large for metadata still arrives with its code and the start of its message", async () => {
  const violation = { field: "x", description: "y".repeat(1000), reason: "z" };
  const service = helloService(() => {
    throw new CallError("ABORTED", "m".repeat(200_000), { violations: Array.from({ length: 200 }, () => violation) });
  });
  const { client } = await pairOf(grpcStack, service);
  const error = await caught(hello(client, "x"));
  expect(error.code).toBe("ABORTED");
  expect(error.message).toMatch(/^m{1000,}$/);
});

test("a request that cannot be written is the caller's mistake", async () => {
  const { client } = await pairOf(grpcStack, realService(contract));
  const error = await caught(client.prepare(getCustomer)(create(GetCustomerRequestSchema, { id: 1.5 })));
  expect(error.code).toBe("INVALID_ARGUMENT");
});

test("a handler sees the call's metadata", async () => {
  const service = helloService((_request, { metadata }) => metadata.get("user-agent") ?? "none");
  const { client } = await pairOf(grpcStack, service);
  expect(await hello(client, "x")).toMatch(/^(?:grpc|connect)-\S+\/\d/);
});

test("a request of the largest size is served, one byte more is RESOURCE_EXHAUSTED", async () => {
  const { client } = await pairOf(grpcStack, greeting, { serve: { maxMessageBytes: 102 } });
  // A string field of less than 128 bytes has two bytes of tag and length.
  expect(await hello(client, "x".repeat(100))).toBe(`Hello, ${"x".repeat(100)}!`);
  expect((await caught(hello(client, "x".repeat(101)))).code).toBe("RESOURCE_EXHAUSTED");
});

test("a response larger than the client allows is RESOURCE_EXHAUSTED", async () => {
  const { client } = await pairOf(
    grpcStack,
    helloService(({ name }) => name),
    { connect: { maxMessageBytes: 102 } },
  );
  expect(await hello(client, "x".repeat(100))).toBe("x".repeat(100));
  expect((await caught(hello(client, "x".repeat(101)))).code).toBe("RESOURCE_EXHAUSTED");
});

test("calls spread over as many connections as asked for", async () => {
  const { server } = await pairOf(grpcStack, greeting);
  const sockets = clientSockets();
  const client = await clientOf(grpcStack, greeting, { url: server.url, connections: 3 });
  await Promise.all(Array.from({ length: 9 }, () => hello(client, "x")));
  expect(sockets.size).toBe(3);
});

test("both directions have the declared HTTP/2 window, and calls at once are bounded", async () => {
  const { server } = await pairOf(grpcStack, greeting);
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  await new Promise((resolve) => session.once("remoteSettings", resolve));
  expect(session.remoteSettings.initialWindowSize).toBe(flowControlWindowBytes);
  expect(session.remoteSettings.maxConcurrentStreams).toBe(1_000);
  await new Promise((resolve) => session.ping(resolve));
  expect(session.state.remoteWindowSize).toBe(flowControlWindowBytes);
});

test("an operation that the server does not have is UNIMPLEMENTED", async () => {
  const { client } = await pairOf(grpcStack, greeting);
  const unknown = streamingContract().operation("test.Streams.Unary");
  expect((await caught(client.prepare(unknown)(create(unknown.input)))).code).toBe("UNIMPLEMENTED");
});

test("more calls at once than a connection may carry wait for their turn", async () => {
  const service = helloService(async ({ name }) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return name;
  });
  const { client } = await pairOf(grpcStack, service);
  await hello(client, "first");
  const names = Array.from({ length: 1_500 }, (_, index) => String(index));
  expect(await Promise.all(names.map((name) => hello(client, name)))).toEqual(names);
});
