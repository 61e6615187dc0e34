// A deadline ends a call wherever it waits behind the socket, and for ever: in an interceptor, in a handler, before or between the messages of a stream.
// The clients here send the deadline and do not keep it themselves, so that it is the server which answers.
import { create, type Message, toBinary } from "@bufbuild/protobuf";
import {
  CallError,
  type Client,
  codeFromGrpc,
  type Contract,
  methodPath,
  type Operation,
  type Service,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { connectClient } from "@roundtrip/styles/connect/client";
import { graphqlClient } from "@roundtrip/styles/graphql/client";
import { framed } from "@roundtrip/styles/grpc/server";
import type { HttpTransport } from "@roundtrip/styles/http/client";
import { jsonRpcClient } from "@roundtrip/styles/json-rpc/client";
import { restClient } from "@roundtrip/styles/rest/client";
import { soapClientOf } from "@roundtrip/styles/soap/client";
import type { IncomingHttpHeaders } from "node:http2";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectDefaults, loadServe, loadStack, serveDefaults, type ServedService, type Stack } from "../src/index.ts";
import { undiciTransport } from "../src/shared/undici/undici-transport.ts";
import { endsUnderTest } from "./support/pair.ts";
import { bareCall } from "./support/wire.ts";
import { streamingContract } from "./support/streaming-contract.ts";

const contract = streamingContract();
const never = new Promise<never>(() => {});

/** Soon, and late enough to reach the server first on most machines. Nothing depends on that: a request that is late has the same error. */
const timeoutMs = 100;

function emptyOf({ output }: Operation): Message {
  return create(output);
}

function serving(
  answers: (operation: Operation, requests: AsyncIterable<Message>) => AsyncGenerator<Message>,
): Service {
  return serviceOf(
    contract,
    new Map(
      contract.operations.map((operation) => [
        operation.id,
        operation.kind === "unary"
          ? async () => (await answers(operation, nothing()).next()).value as Message
          : (requests: AsyncIterable<Message>) => answers(operation, requests),
      ]),
    ),
  );
}

async function* nothing(): AsyncGenerator<Message> {}

const answering = serving(async function* (operation) {
  yield emptyOf(operation);
  yield emptyOf(operation);
});

/** An interceptor that waits before the service, or after the first message of its stream. */
function intercepted(place: "before" | "between"): Service {
  const own: Service = {
    contract,
    guard: (other) => other,
    async call(operation, request, call) {
      if (place === "before") await never;
      return answering.call(operation, request, call);
    },
    async *stream(operation, requests, call) {
      if (place === "before") await never;
      for await (const message of answering.stream(operation, requests, call)) {
        yield message;
        await never;
      }
    },
  };
  return own;
}

interface Place {
  readonly service: Service;
  readonly kinds: readonly Operation["kind"][];
  /** Whether the caller's stream of requests never ends. */
  readonly sendsOn?: boolean;
}

const allKinds = ["unary", "server_streaming", "client_streaming", "bidi_streaming"] as const;
const answerStreams = ["server_streaming", "bidi_streaming"] as const;
const requestStreams = ["client_streaming", "bidi_streaming"] as const;

const places: Readonly<Record<string, Place>> = {
  "an interceptor": { service: intercepted("before"), kinds: allKinds },
  "an interceptor, while requests still come": {
    service: intercepted("before"),
    kinds: requestStreams,
    sendsOn: true,
  },
  "an interceptor, after the first message": { service: intercepted("between"), kinds: answerStreams },
  "a handler": {
    // oxlint-disable-next-line require-yield -- it never comes to that
    service: serving(async function* () {
      await never;
    }),
    kinds: allKinds,
  },
  "a handler, after the first message": {
    service: serving(async function* (operation) {
      yield emptyOf(operation);
      await never;
    }),
    kinds: answerStreams,
  },
  "a request that does not come": {
    service: serving(async function* (operation, requests) {
      for await (const _ of requests);
      yield emptyOf(operation);
    }),
    kinds: requestStreams,
    sendsOn: true,
  },
};

async function* requestsOf({ input }: Operation, sendsOn: boolean): AsyncGenerator<Message> {
  yield create(input);
  if (sendsOn) await never;
}

/** A transport that leaves the deadline to the server. */
function patient(transport: HttpTransport): HttpTransport {
  return {
    send: (request) => transport.send({ ...request, timeoutMs: undefined }),
    stream: (request) => transport.stream({ ...request, timeoutMs: undefined }),
    close: () => transport.close(),
  };
}

const { maxMessageBytes } = connectDefaults;
const clients: Readonly<Record<string, (transport: HttpTransport, called: Contract, url: string) => Client>> = {
  rest: (transport, called) => restClient(transport, called, { maxMessageBytes }),
  graphql: (transport, called, url) => graphqlClient(transport, called, { url, maxMessageBytes }),
  "json-rpc": (transport, called, url) => jsonRpcClient(transport, called, { url, maxMessageBytes }),
  soap: (transport, called, url) => soapClientOf(transport, called, { url, version: "1.1" }),
  connect: (transport, called) => connectClient(transport, called, { maxMessageBytes, encoding: "proto", get: false }),
};

/** Resolves to the code of the error with which the server ends the call. */
async function httpCode(style: string, url: string, operation: Operation, sendsOn: boolean): Promise<string> {
  const transport = patient(undiciTransport({ ...connectDefaults, url }));
  const client = clients[style]?.(transport, contract, url) as Client;
  onTestFinished(() => client.close());
  try {
    if (operation.kind === "unary") await client.prepare(operation)(create(operation.input), { timeoutMs });
    else {
      const stream = client.prepareStream(operation);
      for await (const _ of stream(requestsOf(operation, sendsOn), { timeoutMs }));
    }
  } catch (thrown) {
    return CallError.from(thrown).code;
  }
  return "OK";
}

/** Resolves to the code of the status that the server sends. Rejects for a stream that it resets without one. */
async function grpcCode(url: string, operation: Operation, sendsOn: boolean): Promise<string> {
  const stream = bareCall(url, methodPath(operation.method), { "grpc-timeout": `${timeoutMs}m` });
  stream.write(framed(toBinary(operation.input, create(operation.input))));
  if (!sendsOn) stream.end();
  stream.resume();
  return new Promise((resolve, reject) => {
    const take = ({ "grpc-status": status }: IncomingHttpHeaders): void => {
      if (status !== undefined) resolve(codeFromGrpc(Number(status)));
    };
    stream.on("response", take).on("trailers", take).on("error", reject);
    stream.on("close", () => reject(new Error(`closed with code ${stream.rstCode}`)));
  });
}

const features = { server_streaming: "serverStream", client_streaming: "clientStream", bidi_streaming: "bidiStream" };

function isSupported({ limitations }: Stack, kind: Operation["kind"]): boolean {
  return kind === "unary" || !limitations.some(({ feature }) => feature === features[kind]);
}

describe.each(endsUnderTest("server"))("$name", ({ name: stackName, style }) => {
  let server: ServedService;

  beforeAll(async () => {
    const serve = await loadServe(stackName);
    server = await serve(answering, { ...serveDefaults, shutdownGraceMs: 0 });
  });
  afterAll(() => server.close());

  test.for(Object.entries(places))("a deadline ends a call that waits for %s", async ([, place], { skip }) => {
    const stack = await loadStack(stackName);
    const called = contract.operations.filter(({ kind }) => place.kinds.includes(kind) && isSupported(stack, kind));
    skip(called.length === 0);
    await server.replace(place.service);
    const codes = await Promise.all(
      called.map(async (operation) => {
        const { sendsOn = false } = place;
        const code =
          style === "grpc"
            ? await grpcCode(server.url, operation, sendsOn)
            : await httpCode(style, server.url, operation, sendsOn);
        return [operation.kind, code];
      }),
    );
    expect(codes).toEqual(called.map(({ kind }) => [kind, "DEADLINE_EXCEEDED"]));
  });
});
