// Answers of servers that are not ours: of HTTP alone, as proxies and load balancers give them, and of another number than a method has.
import { create, toBinary } from "@bufbuild/protobuf";
import { CallError, type CanonicalCode, type Client, type Operation } from "@roundtrip/contract";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { Server } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectTo, type Settings } from "../src/index.ts";
import { streamingContract } from "./support/streaming-contract.ts";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { framed } from "@roundtrip/styles/grpc/server";
import { endStreamFlag, enveloped } from "@roundtrip/styles/connect/server";
import { endsUnderTest } from "./support/pair.ts";
import { urlOf } from "./support/wire.ts";

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
  405: "UNIMPLEMENTED",
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

/** A reader of a stream that takes one answer and leaves gets the error too. */
async function codeOf(client: Client, operation: Operation): Promise<string> {
  const request = create(operation.input);
  try {
    if (operation.kind !== "unary") {
      for await (const _ of client.prepareStream(operation)([request])) return "OK";
      return "no answer";
    }
    await client.prepare(operation)(request);
    return "OK";
  } catch (thrown) {
    return CallError.from(thrown).code;
  }
}

describe.each(endsUnderTest("client"))("the client of $name", ({ name, style }) => {
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

// A method with one answer that gets none or several, from a server that is wrong: each client reports an error at once, and does not wait.

const answer = toBinary(EmptySchema, create(EmptySchema));

function answers(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => framed(answer)));
}

function grpcServer(count: number): Server {
  const server = createHttp2Server();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined).resume();
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
    stream.end(answers(count));
  });
  return server;
}

/** The last part of a body: trailers of gRPC-Web, or the end of a Connect stream. */
function endOf(type: string): Uint8Array {
  if (!type.startsWith("application/grpc-web")) return enveloped(Buffer.from("{}"), endStreamFlag);
  const trailers = framed(Buffer.from("grpc-status: 0\r\n"));
  trailers.writeUInt8(0x80);
  return trailers;
}

function connectServer(count: number): Server {
  return createHttpServer((request, response) => {
    const type = request.headers["content-type"] ?? "";
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": type });
      response.end(Buffer.concat([answers(count), endOf(type)]));
    });
  });
}

interface Case {
  readonly stack: string;
  readonly settings: Settings;
  readonly kinds: readonly Operation["kind"][];
}

const one = ["unary", "client_streaming"] as const;

/** Connect's unary answer is the body of an HTTP answer: there is no other number of them. */
const cases: readonly Case[] = endsUnderTest("client").flatMap(({ style, client, name }): Case[] => {
  if (style === "grpc") return [{ stack: name, settings: {}, kinds: one }];
  if (style !== "connect") return [];
  const ofConnect: Case = { stack: name, settings: {}, kinds: ["client_streaming"] };
  const ofWeb: Case = { stack: name, settings: { protocol: "grpc-web" }, kinds: one };
  return client === "connect-node" ? [ofConnect, ofWeb] : [ofConnect];
});

describe.each(cases)("the client of $stack with $settings", ({ stack, settings, kinds }) => {
  // Response cardinality violation: https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
  test.each([
    [0, "UNIMPLEMENTED"],
    [1, "OK"],
    [2, "UNIMPLEMENTED"],
    [3, "UNIMPLEMENTED"],
  ])("takes %i answers for %s", async (count, code) => {
    const server = stack.startsWith("grpc") ? grpcServer(count) : connectServer(count);
    const client = await connectTo(stack, contract, { url: await urlOf(server), settings });
    onTestFinished(() => client.close());
    const called = contract.operations.filter(({ kind }) => kinds.includes(kind));
    const codes = await Promise.all(called.map((operation) => codeOf(client, operation)));
    expect(codes).toEqual(called.map(() => code));
  });
});
