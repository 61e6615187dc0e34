// The records of calls in a log, over every style.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, handlersOf, ServerCall } from "@roundtrip/contract";
import { GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import {
  HelloService,
  SayHelloRequestSchema,
  SayHelloResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { DownloadRequestSchema, UploadRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { realService } from "@roundtrip/service";
import { connectDefaults, coveringStacks, loadConnect, loadServe, serveDefaults } from "@roundtrip/stacks";
import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryClient } from "@roundtrip/stacks/memory";
import { CallLog } from "../../src/log/call-log.ts";
import { logging } from "../../src/log/logged-call.ts";
import { startFake } from "../../src/fake/start-fake.ts";
import type { Stub } from "../../src/stubs/stub-schema.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const download = contract.operation("roundtrip.v1.PayloadService.Download");
const upload = contract.operation("roundtrip.v1.PayloadService.Upload");

const log = new CallLog(contract);
const service = logging(log, "one")(realService(contract));
const client = memoryClient(() => service);

afterEach(() => log.clear());

function requests(names: readonly string[]): Message[] {
  return names.map((name) => create(SayHelloRequestSchema, { name }));
}

describe("a logged call", () => {
  it("has its operation, messages in ProtoJSON, outcome, bytes and session", async () => {
    await client.prepare(sayHello)(create(SayHelloRequestSchema, { name: "World" }));
    expect(log.records).toMatchObject([
      {
        session: "one",
        operation: sayHello.id,
        requests: [{ name: "World" }],
        responses: [{ message: "Hello, World!" }],
        outcome: "OK",
        message: "",
        details: {},
        requestBytes: 7,
        responseBytes: 15,
        omittedMessages: 0,
      },
    ]);
  });

  it("is printed with its request and answer", async () => {
    await client.prepare(sayHello)(create(SayHelloRequestSchema, { name: "World" }));
    expect(inspect(log.records[0])).toMatch(/requests: \[ \{ name: 'World' \} \][^]*outcome: 'OK'/);
  });

  it("has the error details that programs received", async () => {
    await expect(client.prepare(getCustomer)(create(GetCustomerRequestSchema, { id: 4711 }))).rejects.toThrow("4711");
    await expect(client.prepare(getCustomer)(create(GetCustomerRequestSchema, { id: -1 }))).rejects.toThrow("id");
    expect(JSON.parse(JSON.stringify(log.records))).toMatchObject([
      {
        outcome: "NOT_FOUND",
        message: expect.stringContaining("4711"),
        responses: [],
        responseBytes: 0,
        details: { reason: "CUSTOMER_NOT_FOUND", domain: "roundtrip.dev", metadata: { id: "4711" } },
      },
      { details: { violations: [{ field: "id" }] } },
    ]);
    expect(Object.keys(log.records[0]?.details ?? {})).toEqual(["reason", "domain", "metadata"]);
  });

  it("ends with the only answer to a stream of requests", async () => {
    const chunks = [1, 2].map((byte) => create(UploadRequestSchema, { data: new Uint8Array([byte]) }));
    await Array.fromAsync(client.prepareStream(upload)(chunks));
    expect(log.records).toMatchObject([
      { requests: [{ data: "AQ==" }, { data: "Ag==" }], responses: [{ sizeBytes: 2 }], outcome: "OK" },
    ]);
  });

  it("only counts the bytes of a stream's messages after the first thousand", async () => {
    const request = create(DownloadRequestSchema, { sizeBytes: 1_500, chunkBytes: 1 });
    await Array.fromAsync(client.prepareStream(download)([request]));
    const [record] = log.records;
    expect(record?.responses).toHaveLength(1_000);
    expect(record).toMatchObject({ omittedMessages: 500, responseBytes: 1_500 * 3 });
  });

  it("is CANCELLED if its caller stops reading a stream", async () => {
    const request = create(DownloadRequestSchema, { sizeBytes: 1_000, chunkBytes: 1 });
    for await (const chunk of client.prepareStream(download)([request])) if (chunk.$typeName !== "") break;
    // A reader that stops does not wait for the server to notice.
    await vi.waitFor(() => expect(log.records).toMatchObject([{ outcome: "CANCELLED" }]), 20_000);
  });

  it("keeps messages as they were, though handlers may change them", async () => {
    const kept = create(SayHelloResponseSchema, { message: "before" });
    const own = new CallLog(contract);
    const keeping = logging(own, "")(serviceOf(contract, handlersOf(HelloService, { sayHello: () => kept })));
    const request = create(SayHelloRequestSchema, { name: "before" });
    await keeping.call(sayHello, request, new ServerCall());
    kept.message = "after";
    request.name = "after";
    expect(own.records).toMatchObject([{ requests: [{ name: "before" }], responses: [{ message: "before" }] }]);
  });

  it("is passed to listeners when it has ended, until they are removed", async () => {
    const heard: number[] = [];
    const stop = log.onRecord(({ index }) => heard.push(index));
    await client.prepare(sayHello)(create(SayHelloRequestSchema, { name: "World" }));
    stop();
    await client.prepare(sayHello)(create(SayHelloRequestSchema, { name: "World" }));
    expect(heard).toEqual([log.records[0]?.index]);
  });

  it("succeeds even if a listener of the log throws", async () => {
    const { promise: warned, resolve } = Promise.withResolvers<Error>();
    process.once("warning", resolve);
    const stop = log.onRecord(() => {
      throw new TypeError("what a listener stumbles over");
    });
    await client.prepare(sayHello)(create(SayHelloRequestSchema, { name: "World" }));
    stop();
    expect((await warned).message).toBe("what a listener stumbles over");
  });
});

describe("round trips", () => {
  it("are counted once for the calls of one exchange", async () => {
    const together = client.prepareTogether([sayHello, sayHello, sayHello]);
    await together(requests(["a", "b", "c"]));
    await together(requests(["a", "b", "c"]));
    expect(log.records).toHaveLength(6);
    expect(new Set(log.records.map(({ roundTrip }) => roundTrip)).size).toBe(2);
  });

  it.each(coveringStacks())("are counted over $name", async ({ name }) => {
    const server = await (await loadServe(name))(service, serveDefaults);
    const remote = await (await loadConnect(name))(contract, { ...connectDefaults, url: server.url });
    try {
      for (const request of requests(["a", "b"])) await remote.prepare(sayHello)(request);
      expect(new Set(log.records.map(({ roundTrip }) => roundTrip)).size).toBe(2);
      if (name !== "graphql-apollo") return;
      log.clear();
      await remote.prepareTogether([sayHello, sayHello])(requests(["a", "b"]));
      expect(log.records).toHaveLength(2);
      expect(new Set(log.records.map(({ roundTrip }) => roundTrip)).size).toBe(1);
    } finally {
      await remote.close();
      await server.close();
    }
  });
});

describe("an answer that REST cannot express", () => {
  const files = compileContract(`
    syntax = "proto3";
    package files.v1;
    import "google/api/annotations.proto";
    import "google/api/httpbody.proto";
    service Files {
      rpc Get(Name) returns (google.api.HttpBody) { option (google.api.http) = {get: "/get/{name}"}; }
      rpc Read(Name) returns (stream google.api.HttpBody) { option (google.api.http) = {get: "/read/{name}"}; }
    }
    message Name { string name = 1; }
  `);

  it.each(["get", "read"])("is recorded with the error that the caller gets: %s", async (path) => {
    const response = { contentType: "bad\r\nx-evil: 1", data: "aGk=" };
    const stubs: readonly Stub[] = [
      { operation: "Get", response },
      { operation: "Read", responses: [response] },
    ];
    await using fake = await startFake(files, { stacks: ["rest-node-http"], stubs });
    const answer = await fetch(`${fake.urls["rest-node-http"]}/${path}/x`);
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: "INTERNAL" }]);
    expect(JSON.parse(JSON.stringify(fake.log.records))).toMatchObject([
      {
        outcome: "INTERNAL",
        message: "internal error",
        cause: expect.stringContaining("cannot be a header") as string,
      },
    ]);
  });
});
