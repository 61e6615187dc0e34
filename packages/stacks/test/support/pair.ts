// A server and a client of one stack over a real socket, closed when the test that asked for them is over; which stacks; and a service of greetings.
import {
  allStacks,
  type ConnectOptions,
  connectTo,
  coveringStacks,
  type KnownStack,
  loadServe,
  serveDefaults,
  type ServedService,
  type ServeOptions,
} from "../../src/index.ts";
import {
  builtInContract,
  type CallContext,
  CallError,
  type CallOptions,
  type Client,
  type Contract,
  type Handler,
  type Service,
  type StreamHandler,
} from "@roundtrip/contract";
import { onTestFinished } from "vitest";
import { freePort } from "../../../runner/src/processes/free-port.ts";
import { loopbackCertificate } from "../../src/shared/certificate.ts";
import { create, type Message } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import {
  type SayHelloRequest,
  SayHelloRequestSchema,
  type SayHelloResponse,
  SayHelloResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";

/** The stack on which tests of a style run: its default, unless `REST_STACK`, `JSON_RPC_STACK` and so on name another. */
export const restStack = process.env["REST_STACK"] ?? "rest-express";
export const graphqlStack = process.env["GRAPHQL_STACK"] ?? "graphql-apollo";
export const grpcStack = process.env["GRPC_STACK"] ?? "grpc-js";
export const jsonRpcStack = process.env["JSON_RPC_STACK"] ?? "json-rpc-2";
export const soapStack = process.env["SOAP_STACK"] ?? "soap-node-http";

/** The default stack of each style. */
export function defaultStacks(): readonly KnownStack[] {
  return allStacks().filter(({ isDefault }) => isDefault);
}

/** Whether tests cover every server and client, as in `.ci/full`: with `ROUNDTRIP_STACKS=all`. */
export const coversAll = process.env["ROUNDTRIP_STACKS"] === "all";

/** The stacks for tests of every server and client: the default ones, or as many as have every server and every client. */
export function stacksUnderTest(): readonly KnownStack[] {
  return coversAll ? coveringStacks() : defaultStacks();
}

/** One stack of each server or client, except the floor. */
export function oneOfEach(end: "server" | "client"): readonly KnownStack[] {
  return [...Map.groupBy(allStacks(), (stack) => `${stack.style} ${stack[end]}`).values()]
    .flatMap((ofEnd) => ofEnd.slice(0, 1))
    .filter(({ style }) => style !== "floor");
}

/** The same for tests of every server or client: of the default stacks unless they cover all. */
export function endsUnderTest(end: "server" | "client"): readonly KnownStack[] {
  return coversAll ? oneOfEach(end) : defaultStacks().filter(({ style }) => style !== "floor");
}

// Pairs of a server and a client.

export interface PairOptions {
  readonly tls: boolean;
  readonly serve: Partial<ServeOptions>;
  readonly connect: Partial<ConnectOptions>;
}

export interface Pair {
  readonly server: ServedService;
  readonly client: Client;
}

export const certificate = loopbackCertificate();

/** A client of a running server, closed with the test. */
export async function clientOf(
  stackName: string,
  service: Service,
  options: Pick<ConnectOptions, "url"> & Partial<ConnectOptions>,
): Promise<Client> {
  const client = await connectTo(stackName, service.contract, options);
  onTestFinished(() => client.close());
  return client;
}

/** A server of this service, closed with the test. */
export async function served(
  stackName: string,
  service: Service,
  options: Partial<ServeOptions> = {},
): Promise<ServedService> {
  const serve = await loadServe(stackName);
  const server = await serve(service, { ...serveDefaults, shutdownGraceMs: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

async function serverOf(stackName: string, service: Service, options: Partial<PairOptions>) {
  const tls = options.tls === true ? await certificate : undefined;
  const serve = await loadServe(stackName);
  // Clients of tests before may still try to reach servers that have gone: no connection gets the port of one of these.
  const port = await freePort(serveDefaults.host);
  const server = await serve(service, { ...serveDefaults, port, shutdownGraceMs: 500, tls, ...options.serve });
  return { server, connect: { url: server.url, ca: tls?.ca, ...options.connect } };
}

/** A server of this service and a client of it, closed with the test. */
export async function pairOf(stackName: string, service: Service, options: Partial<PairOptions> = {}): Promise<Pair> {
  const { server, connect } = await serverOf(stackName, service, options);
  onTestFinished(() => server.close());
  const client = await clientOf(stackName, service, connect);
  return { server, client };
}

/** A pair for several tests, which their file closes. */
export async function keptPair(
  stackName: string,
  service: Service,
  options: Partial<PairOptions>,
): Promise<Pair & { readonly close: () => Promise<void> }> {
  const { server, connect } = await serverOf(stackName, service, options);
  const client = await connectTo(stackName, service.contract, connect);
  return {
    server,
    client,
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}

// The smallest service whose answer a test decides, and calls to it.

export const contract = builtInContract();

export const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");

function responseOf(message: string): Message {
  return create(SayHelloResponseSchema, { message });
}

/** Answers SayHello with the text that `answer` gives, or fails with what it throws; every other operation is not implemented. */
export function helloService(
  answer: (request: SayHelloRequest, context: CallContext) => string | Promise<string>,
): Service {
  const handler = (request: Message, context: CallContext): Message | Promise<Message> => {
    const text = answer(request as SayHelloRequest, context);
    return typeof text === "string" ? responseOf(text) : text.then(responseOf);
  };
  return serviceOf(contract, new Map([[sayHello.id, handler]]));
}

export const greeting = helloService(({ name }) => `Hello, ${name}!`);

/** Where only the client matters. */
export const silent = helloService(() => "");

/** A service whose handlers are those of methods of these names. Other methods are not implemented. */
export function serviceWith(of: Contract, handlers: Readonly<Record<string, Handler | StreamHandler>>): Service {
  const found = new Map<string, Handler | StreamHandler>();
  for (const { id, method } of of.operations) {
    const handler = handlers[method.name];
    if (handler !== undefined) found.set(id, handler);
  }
  return serviceOf(of, found);
}

/** Answers each request with itself. */
export function echoService(of: Contract): Service {
  return serviceOf(of, new Map(of.operations.map(({ id }) => [id, (request: Message) => request])));
}

/** Calls SayHello and resolves to the text of the answer. */
export async function hello(client: Client, name: string, options: CallOptions = {}): Promise<string> {
  const response = await client.prepare(sayHello)(create(SayHelloRequestSchema, { name }), options);
  return (response as SayHelloResponse).message;
}

export interface AbortedHandler {
  /** What the handler does: waits until its signal is aborted and fails with the reason. */
  readonly answer: (request: unknown, context: CallContext) => Promise<string>;
  /** A service whose calls all go to this handler. */
  readonly service: Service;
  /** Resolves when the handler has been called. */
  readonly begun: Promise<void>;
  /** Resolves to the reason with which the handler's signal was aborted. */
  readonly reason: Promise<CallError>;
}

export function abortedHandler(): AbortedHandler {
  const { promise: reason, resolve } = Promise.withResolvers<CallError>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const answer = (_request: unknown, { signal }: CallContext): Promise<string> => {
    begin();
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        resolve(signal.reason as CallError);
        reject(signal.reason as CallError);
      });
    });
  };
  const service = helloService(answer);
  return { answer, service, begun, reason };
}

/** Resolves to the CallError that a call rejects with. Rejects when the call succeeds or fails with anything else. */
export async function caught(call: Promise<unknown>): Promise<CallError> {
  let answer: unknown;
  try {
    answer = await call;
  } catch (thrown) {
    if (thrown instanceof CallError) return thrown;
    throw thrown;
  }
  throw new Error(`the call answered ${JSON.stringify(answer)} and should have failed`);
}
