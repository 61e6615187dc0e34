// Answers of HTTP alone, as proxies and load balancers give them: each client takes the code that its protocol has for the status.
import { create } from "@bufbuild/protobuf";
import { CallError, type CanonicalCode, type Client, type Operation } from "@roundtrip/contract";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { allStacks, connectTo } from "../src/index.ts";
import { streamingContract } from "./support/streaming-contract.ts";

const contract = streamingContract();

/** https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md, and "HTTP to Error Code" of https://connectrpc.com/docs/protocol */
const ofRpc: Readonly<Record<number, CanonicalCode>> = {
  400: "INTERNAL",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "UNIMPLEMENTED",
  429: "UNAVAILABLE",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "UNAVAILABLE",
};

/** Statuses by their meaning in HTTP: the codes that have them, and those nearest to the others. */
const ofHttp: Readonly<Record<number, CanonicalCode>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "INVALID_ARGUMENT",
  408: "DEADLINE_EXCEEDED",
  409: "ABORTED",
  413: "RESOURCE_EXHAUSTED",
  415: "INVALID_ARGUMENT",
  422: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  431: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  501: "UNIMPLEMENTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const statuses = [...new Set([...Object.keys(ofHttp), "418", "500", "507", "599"])].map(Number);

async function urlOf(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that answers each request with the next of these statuses, and nothing else. */
function bareServer(style: string, status: () => number): Server {
  if (style !== "grpc") {
    return createHttpServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status(), { "content-length": 0 }).end());
    });
  }
  const server = createHttp2Server();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined).resume();
    stream.respond({ ":status": status() }, { endStream: true });
  });
  return server;
}

async function codeOf(client: Client, operation: Operation): Promise<string> {
  const request = create(operation.input);
  try {
    if (operation.kind === "unary") await client.prepare(operation)(request);
    else for await (const _ of client.prepareStream(operation)([request]));
  } catch (thrown) {
    return CallError.from(thrown).code;
  }
  return "OK";
}

/** One stack of each client. */
const stacks = [...Map.groupBy(allStacks(), ({ style, client }) => `${style} ${client}`).values()]
  .flatMap((ofClient) => ofClient.slice(0, 1))
  .filter(({ style }) => style !== "floor");

describe.each(stacks)("the client of $name", ({ name, style }) => {
  test.each(["unary", "server_streaming"] as const)("takes the code of each status (%s)", async (kind) => {
    const operation = contract.operations.find((one) => one.kind === kind) as Operation;
    let current = 0;
    const client = await connectTo(name, contract, { url: await urlOf(bareServer(style, () => current)) });
    onTestFinished(() => client.close());
    const expected: Record<number, string> = {};
    const codes: Record<number, string> = {};
    const isStream = kind !== "unary" && ["json-rpc", "soap"].includes(style);
    const table = style === "grpc" || style === "connect" ? ofRpc : ofHttp;
    for (const status of statuses) {
      current = status;
      codes[status] = await codeOf(client, operation);
      expected[status] = isStream ? "UNIMPLEMENTED" : (table[status] ?? "UNKNOWN");
    }
    expect(codes).toEqual(expected);
  });
});
