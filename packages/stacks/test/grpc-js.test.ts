// What users of the gRPC stack can rely on, over real sockets.
import { create } from "@bufbuild/protobuf";
import { CallError, canonicalCodes, isCanonicalCode, type CanonicalCode } from "@roundtrip/contract";
import { CustomerSchema, GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService, seedCustomers } from "@roundtrip/service";
import { connect as connectHttp2 } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadServe, serveDefaults } from "../src/index.ts";
import { flowControlWindowBytes } from "../src/grpc-js/flow-control-window.ts";
import { abortedHandler, opened } from "./support/aborted-handler.ts";
import { caught } from "./support/caught.ts";
import { clientSockets } from "./support/client-sockets.ts";
import { contract, hello, helloService } from "./support/hello.ts";
import { clientOf, pairOf } from "./support/pair.ts";
import { streamingContract } from "./support/streaming-contract.ts";

const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const greeting = helloService(({ name }) => `Hello, ${name}!`);

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {
  test("a call answers with the very values that the service gave", async () => {
    const { client } = await pairOf("grpc-js", realService(contract), { tls });
    const answer = await client.prepare(getCustomer)(create(GetCustomerRequestSchema, { id: 1 }));
    expect(answer).toStrictEqual(seedCustomers()[0]);
  });

  test("a read mask picks attributes", async () => {
    const { client } = await pairOf("grpc-js", realService(contract), { tls });
    const request = create(GetCustomerRequestSchema, { id: 1, readMask: { paths: ["mail"] } });
    const answer = await client.prepare(getCustomer)(request);
    expect(answer).toStrictEqual(create(CustomerSchema, { mail: "wil@example.co.nl" }));
  });

  test.each(Object.keys(canonicalCodes).filter(isCanonicalCode))(
    "an error %s arrives with its code, message and details",
    async (code: CanonicalCode) => {
      const thrown = new CallError(code, 'no — "naïve" 100 %25 #1\n\u{1F600} ', {
        reason: "SOME_REASON",
        domain: "example.com",
        metadata: { key: "välue", __proto__x: "" },
        violations: [
          { field: "customer.name", description: "too long", reason: "string.max_len" },
          { field: "customer.id", description: "wrong", reason: "int32.gt" },
        ],
      });
      const bare = new CallError(code, thrown.message);
      const service = helloService(({ name }) => {
        throw name === "bare" ? bare : thrown;
      });
      const { client } = await pairOf("grpc-js", service, { tls });
      for (const [name, expected] of Object.entries({ detailed: thrown, bare })) {
        const error = await caught(hello(client, name));
        expect(error.code).toBe(expected.code);
        expect(error.message).toBe(expected.message);
        expect(error.details).toStrictEqual(expected.details);
      }
    },
  );

  test("the server's TLS or the lack of it shows in its URL", async () => {
    const { server } = await pairOf("grpc-js", greeting, { tls });
    expect(server.url).toMatch(tls ? /^https:\/\/127\.0\.0\.1:\d+$/ : /^http:\/\/127\.0\.0\.1:\d+$/);
  });
});

test("what a handler throws that is no CallError stays inside the server", async () => {
  const service = helloService(() => {
    throw new Error("the database password is swordfish");
  });
  const { client } = await pairOf("grpc-js", service);
  const error = await caught(hello(client, "x"));
  expect([error.code, error.message]).toEqual(["INTERNAL", "internal error"]);
});

test("a handler that answers later, or fails later, is waited for", async () => {
  const service = helloService(async ({ name }) => {
    await sleep(1);
    if (name === "fail") throw new CallError("ABORTED", "later");
    return "later";
  });
  const { client } = await pairOf("grpc-js", service);
  expect(await hello(client, "x")).toBe("later");
  expect((await caught(hello(client, "fail"))).code).toBe("ABORTED");
});

test("half a surrogate pair in a message does not stop the error", async () => {
  const service = helloService(() => {
    throw new CallError("ABORTED", "half \uD83D");
  });
  const { client } = await pairOf("grpc-js", service);
  const error = await caught(hello(client, "x"));
  expect([error.code, error.message]).toEqual(["ABORTED", "half \uFFFD"]);
});

test("an error too large for metadata still arrives with its code and the start of its message", async () => {
  const violation = { field: "x", description: "y".repeat(1000), reason: "z" };
  const service = helloService(() => {
    throw new CallError("ABORTED", "m".repeat(200_000), { violations: Array.from({ length: 200 }, () => violation) });
  });
  const { client } = await pairOf("grpc-js", service);
  const error = await caught(hello(client, "x"));
  expect(error.code).toBe("ABORTED");
  expect(error.message).toMatch(/^m{1000,}$/);
});

test("a request that cannot be written is the caller's mistake", async () => {
  const { client } = await pairOf("grpc-js", realService(contract));
  const error = await caught(client.prepare(getCustomer)(create(GetCustomerRequestSchema, { id: 1.5 })));
  expect(error.code).toBe("INVALID_ARGUMENT");
});

test("a deadline fails the call on both sides", async () => {
  const { service, reason } = abortedHandler();
  const { client } = await pairOf("grpc-js", service);
  await opened(client);
  const error = await caught(hello(client, "x", { timeoutMs: 100 }));
  expect([error.code, error.message]).toEqual(["DEADLINE_EXCEEDED", "deadline exceeded"]);
  // The client's reset and the server's own timer race: gRPC promises no more than that the handler is told.
  expect((await reason).code).toMatch(/^(DEADLINE_EXCEEDED|CANCELLED)$/);
});

test("no work is begun for a call whose time is up, and a deadline ages away harms nobody", async () => {
  const { client } = await pairOf("grpc-js", greeting);
  expect((await caught(hello(client, "x", { timeoutMs: 0 }))).code).toBe("DEADLINE_EXCEEDED");
  for (const timeoutMs of [2 ** 31 + 1_000_000, 2 ** 45]) {
    expect(await hello(client, "x", { timeoutMs })).toBe("Hello, x!");
  }
});

test("an aborted call fails as CANCELLED on both sides", async () => {
  const { service, begun, reason } = abortedHandler();
  const { client } = await pairOf("grpc-js", service);
  const controller = new AbortController();
  const call = caught(hello(client, "x", { signal: controller.signal }));
  await begun;
  controller.abort();
  const { code, message } = await call;
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
  const { client } = await pairOf("grpc-js", service);
  await hello(client, "x");
  await hello(client, "x", { timeoutMs: 100 });
  await sleep(120);
  expect(signal?.aborted).toBe(false);
});

test("a handler sees the call's metadata", async () => {
  const service = helloService((_request, { metadata }) => metadata.get("user-agent") ?? "none");
  const { client } = await pairOf("grpc-js", service);
  expect(await hello(client, "x")).toMatch(/^grpc-node-js\//);
});

test("a request of the largest size is served, one byte more is RESOURCE_EXHAUSTED", async () => {
  const { client } = await pairOf("grpc-js", greeting, { serve: { maxMessageBytes: 102 } });
  // A string field of less than 128 bytes has two bytes of tag and length.
  expect(await hello(client, "x".repeat(100))).toBe(`Hello, ${"x".repeat(100)}!`);
  expect((await caught(hello(client, "x".repeat(101)))).code).toBe("RESOURCE_EXHAUSTED");
});

test("a response larger than the client allows is RESOURCE_EXHAUSTED", async () => {
  const { client } = await pairOf(
    "grpc-js",
    helloService(({ name }) => name),
    { connect: { maxMessageBytes: 102 } },
  );
  expect(await hello(client, "x".repeat(100))).toBe("x".repeat(100));
  expect((await caught(hello(client, "x".repeat(101)))).code).toBe("RESOURCE_EXHAUSTED");
});

test("calls spread over as many connections as asked for", async () => {
  const { server } = await pairOf("grpc-js", greeting);
  const sockets = clientSockets();
  const client = await clientOf("grpc-js", greeting, { url: server.url, connections: 3 });
  await Promise.all(Array.from({ length: 9 }, () => hello(client, "x")));
  expect(sockets.size).toBe(3);
});

test("both directions have the declared HTTP/2 window", async () => {
  const { server } = await pairOf("grpc-js", greeting);
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  await new Promise((resolve) => session.once("remoteSettings", resolve));
  expect(session.remoteSettings.initialWindowSize).toBe(flowControlWindowBytes);
  await new Promise((resolve) => session.ping(resolve));
  expect(session.state.remoteWindowSize).toBe(flowControlWindowBytes);
});

test("closing a server finishes calls in flight and refuses new ones", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const service = helloService(async () => {
    begin();
    await sleep(50);
    return "finished";
  });
  const { server, client } = await pairOf("grpc-js", service);
  const call = hello(client, "x");
  await begun;
  await server.close();
  expect(await call).toBe("finished");
  expect((await caught(hello(client, "x"))).code).toBe("UNAVAILABLE");
});

test("closing a server cuts off what outlasts the grace time", async () => {
  const { service, begun, reason } = abortedHandler();
  const { server, client } = await pairOf("grpc-js", service, { serve: { shutdownGraceMs: 20 } });
  const call = caught(hello(client, "x"));
  await begun;
  await server.close();
  expect((await call).code).toMatch(/^(UNAVAILABLE|CANCELLED)$/);
  expect((await reason).code).toBe("CANCELLED");
});

test("closing a client waits for its calls in flight", async () => {
  const service = helloService(async () => {
    await sleep(30);
    return "finished";
  });
  const { client } = await pairOf("grpc-js", service);
  let answer = "";
  const call = hello(client, "x").then((text) => (answer = text));
  await client.close();
  await call;
  expect(answer).toBe("finished");
  expect((await caught(hello(client, "x"))).code).toBe("CANCELLED");
});

test("a port that is taken is said in one line with what to do", async () => {
  const { server } = await pairOf("grpc-js", greeting);
  const { port } = new URL(server.url);
  const serve = await loadServe("grpc-js");
  await expect(serve(greeting, { ...serveDefaults, port: Number(port) })).rejects.toMatchObject({
    code: "cannot-listen",
    message: `cannot listen on 127.0.0.1:${port}: the port is taken; choose another, or 0 for any free one`,
  });
});

test("a server that is not there is UNAVAILABLE, with its address in one line", async () => {
  const { server } = await pairOf("grpc-js", greeting);
  await server.close();
  const client = await clientOf("grpc-js", greeting, { url: server.url });
  const { code, message } = await caught(hello(client, "x"));
  expect(code).toBe("UNAVAILABLE");
  expect(message).toBe(`no answer from ${server.url}: connect ECONNREFUSED ${new URL(server.url).host}`);
});

test("a certificate that nobody vouches for is UNAVAILABLE, not a call", async () => {
  const { server } = await pairOf("grpc-js", greeting, { tls: true });
  const client = await clientOf("grpc-js", greeting, { url: server.url });
  const { code, message } = await caught(hello(client, "x"));
  expect(code).toBe("UNAVAILABLE");
  expect(message).toContain(`no answer from ${server.url}: self-signed certificate`);
});

test("an operation that the server does not have is UNIMPLEMENTED", async () => {
  const { client } = await pairOf("grpc-js", greeting);
  const unknown = streamingContract().operation("test.Streams.Unary");
  expect((await caught(client.prepare(unknown)(create(unknown.input)))).code).toBe("UNIMPLEMENTED");
});
