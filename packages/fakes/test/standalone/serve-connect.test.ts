// Connect and gRPC-Web, called with Connect's own clients.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Client, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { builtInContract, CallError, ConnectionCut, handlersOf } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { BadRequestSchema, ErrorInfoSchema } from "@roundtrip/contract/gen/google/rpc/error_details_pb";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { PayloadService } from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { serveDefaults, type ServedService } from "@roundtrip/stacks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFake } from "../../src/index.ts";
import { serveConnect } from "../../src/standalone/connect/serve-connect.ts";

const contract = builtInContract();

/** Answers according to the name in the request. */
const handlers = handlersOf(HelloService, {
  sayHello({ name }, { metadata, answerMetadata }) {
    answerMetadata.set("x-heard", metadata.get("x-said") ?? "");
    if (name === "guest") throw new CallError("PERMISSION_DENIED", "who?", { reason: "GUEST", domain: "test" });
    if (name === "cut") throw new ConnectionCut();
    if (name === "slow") return new Promise(() => undefined);
    return create(SayHelloResponseSchema, { message: `Hello, ${name}!` });
  },
});

let server: ServedService;
beforeAll(async () => {
  server = await serveConnect(serviceOf(contract, handlers), serveDefaults);
});
afterAll(() => server.close());

const protocols: Readonly<Record<string, (baseUrl: string) => Transport>> = {
  Connect: (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  "Connect in JSON": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
  "gRPC-Web": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
};

async function* uploads() {
  yield { data: new Uint8Array(3) };
  yield { data: new Uint8Array(4) };
}

describe.each(Object.entries(protocols))("%s", (_name, transportTo) => {
  const client = (): Client<typeof HelloService> => createClient(HelloService, transportTo(server.url));
  const refused = async (name: string, options = {}): Promise<ConnectError> => {
    try {
      await client().sayHello({ name }, options);
    } catch (thrown) {
      return ConnectError.from(thrown);
    }
    throw new Error("it was answered");
  };

  test("carries requests, answers, and metadata in both directions", async () => {
    let heard: string | null = null;
    const options = { headers: { "x-said": "this" }, onHeader: (headers: Headers) => (heard = headers.get("x-heard")) };
    expect((await client().sayHello({ name: "Ada" }, options)).message).toBe("Hello, Ada!");
    expect(heard).toBe("this");
  });

  test("carries errors with their details, also those of the contract's rules", async () => {
    const denied = await refused("guest");
    expect([denied.code, denied.rawMessage]).toEqual([Code.PermissionDenied, "who?"]);
    expect(denied.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "GUEST", domain: "test" }]);
    const invalid = await refused("");
    expect(invalid.code).toBe(Code.InvalidArgument);
    expect(invalid.findDetails(BadRequestSchema)).toMatchObject([{ fieldViolations: [{ field: "name" }] }]);
  });

  test("supports deadlines and intentional cuts of the connection", async () => {
    expect((await refused("slow", { timeoutMs: 30 })).code).toBe(Code.DeadlineExceeded);
    expect(await refused("cut")).toMatchObject({
      message: expect.stringMatching(/socket hang up|ECONNRESET/) as string,
    });
  });

  test("carries the streams of a fake's made-up answers", async () => {
    const { service } = createFake({ contract });
    await server.replace(service);
    try {
      const payloads = createClient(PayloadService, transportTo(server.url));
      const chunks = [];
      for await (const chunk of payloads.download({ sizeBytes: 100, chunkBytes: 10 })) chunks.push(chunk);
      expect(chunks.length).toBeGreaterThan(0);
      expect(await payloads.upload(uploads())).toMatchObject({ $typeName: "roundtrip.v1.UploadResponse" });
    } finally {
      await server.replace(serviceOf(contract, handlers));
    }
  });
});
