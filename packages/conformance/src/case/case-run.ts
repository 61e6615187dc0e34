// The context of a running case: typed calls, a separate server if it needs one, and cleanup.
import {
  create,
  type DescMethod,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import {
  type CallOptions,
  type Client,
  type Contract,
  contractFromImage,
  type Handlers,
  type Interceptor,
} from "@roundtrip/contract";
import type { DocumentAnswer, Misuse, MisuseTarget, ProtocolMisuse, Respelling } from "@roundtrip/styles";
import { serviceOf } from "@roundtrip/contract/service";
import { readFileSync } from "node:fs";
import { type ConformanceSubject, type Served, servedDefaults, type ServedSettings } from "./subject.ts";

/**
 * Marks a promise's rejection as handled and returns the promise. If a case fails before it awaits the promise, only the case fails; an
 * unhandled rejection would end the process.
 */
export function markHandled<T>(promise: Promise<T>): Promise<T> {
  // The promise itself still rejects when awaited.
  promise.catch(() => {});
  return promise;
}

/** The contract `roundtrip.conformance.v1`, compiled from `proto/` of this package. */
export function conformanceContract(): Contract {
  return contractFromImage(readFileSync(new URL("../gen/conformance.binpb", import.meta.url)));
}

type Request<M extends DescMethod> = MessageInitShape<M["input"]>;
type Answer<M extends DescMethod> = MessageShape<M["output"]>;

/** Calls of generated services through a client, with messages of the generated types. */
function callsOf(client: Client, contract: Contract) {
  const operationOf = ({ parent, name }: DescMethod) => contract.operation(`${parent.typeName}.${name}`);
  function call<M extends DescMethodUnary>(method: M, request: Request<M>, options?: CallOptions): Promise<Answer<M>> {
    const invoke = client.prepare(operationOf(method));
    // The operation and the method have the same output: both come from the same contract.
    return markHandled(invoke(create(method.input, request), options) as Promise<Answer<M>>);
  }
  async function* stream<M extends DescMethod>(
    method: M,
    requests: AsyncIterable<Request<M>> | Iterable<Request<M>>,
    options?: CallOptions,
  ): AsyncGenerator<Answer<M>> {
    const invoke = client.prepareStream(operationOf(method));
    async function* messages(): AsyncGenerator<Message> {
      for await (const request of requests) yield create(method.input, request);
    }
    for await (const answer of invoke(messages(), options)) yield answer as Answer<M>;
  }
  return { client, call, stream };
}

/** Thrown by a case that does not apply to the subject, for example to its protocol. The case is skipped. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

export interface CaseServerOptions extends Partial<ServedSettings> {
  /** Around the handlers' service. */
  readonly intercept?: Interceptor;
}

let readContract: Contract | undefined;

/** Read once: dozens of cases serve it, and servers and clients cache by its descriptors. */
function servedContract(): Contract {
  return (readContract ??= conformanceContract());
}

type Afterwards = (cleanup: () => Promise<void>) => void;

/** Sends what no client sends to a server. All functions need `misuse`. */
function misusesOf({ misuses, address }: Served, contract: Contract, maxRequestBytes: number) {
  const protocolMisuse = (): ProtocolMisuse => {
    if (misuses === undefined) throw new NotApplicable("the subject cannot send malformed bytes");
    return misuses;
  };
  const targetOf = ({ parent, name }: DescMethod, request: Message): MisuseTarget => {
    return {
      ...address,
      contract,
      operation: contract.operation(`${parent.typeName}.${name}`),
      request,
      maxRequestBytes,
    };
  };
  /** Resolves to the answer, and those that the style allows. Rejects with NotApplicable if the misuse does not exist on the protocol. */
  async function misuse<M extends DescMethodUnary>(kind: Misuse, method: M, request: MessageShape<M["input"]>) {
    const attempt = protocolMisuse().attempts[kind];
    if (attempt === undefined) throw new NotApplicable("this misuse does not exist in the protocol");
    return { answer: await attempt.send(targetOf(method, request)), allowed: attempt.answers };
  }
  /**
   * Sends a request in other spellings. Resolves to the answer to each, and those that the style allows for an invalid spelling. Rejects with
   * NotApplicable if requests are binary or do not contain the part to replace.
   */
  async function respelled<M extends DescMethodUnary>(
    respellings: readonly Respelling[],
    method: M,
    request: MessageShape<M["input"]>,
  ) {
    const { spellings } = protocolMisuse();
    if (spellings === undefined) throw new NotApplicable("values are not JSON, whose spellings these are");
    const answers = await spellings.send(targetOf(method, request), respellings);
    if (answers === undefined) throw new NotApplicable("the protocol does not use the ProtoJSON form for this value");
    return { answers, refusals: spellings.refusals };
  }
  /** Sends a document that selects what is read. Rejects with NotApplicable if the protocol has none. */
  async function readDocument(document: string): Promise<DocumentAnswer> {
    const read = protocolMisuse().readDocument;
    if (read === undefined) throw new NotApplicable("the protocol has no documents that select what is read");
    return read(address, document);
  }
  return { misuse, respelled, readDocument };
}

/** Serves handlers of a contract until the case is over, and connects a client. */
async function serveCase(
  { subject, afterwards }: { readonly subject: ConformanceSubject; readonly afterwards: Afterwards },
  contract: Contract,
  handlers: Handlers,
  { intercept = (service) => service, ...given }: CaseServerOptions,
) {
  if (subject.serve === undefined) throw new Error("the case starts a server and does not say so in its needs");
  const settings = { ...servedDefaults, ...given };
  const served = await subject.serve(intercept(serviceOf(contract, handlers)), settings);
  let stopped: Promise<void> | undefined;
  /** Takes no new calls, finishes those in flight within the grace time, then stops. */
  const stop = () => (stopped ??= markHandled(served.stop()));
  afterwards(stop);
  const closedAfterwards = async (connecting: Promise<Client>) => {
    const client = await connecting;
    afterwards(() => client.close());
    return client;
  };
  /** Creates another client, with its own connections. */
  const connect = () => closedAfterwards(served.connect());
  /** Calls a method at another address, through a separate client. Needs `misuse`, because subjects without a network have no addresses. */
  async function callAt<M extends DescMethodUnary>(url: string, method: M, request: Request<M>): Promise<Answer<M>> {
    return callsOf(await closedAfterwards(served.connectTo(url)), contract).call(method, request);
  }
  const calls = callsOf(await connect(), contract);
  return { ...calls, connect, callAt, stop, ...misusesOf(served, contract, settings.maxRequestBytes) };
}

/** A server with the case's own handlers, and a client of it. */
export type CaseServer = Awaited<ReturnType<typeof serveCase>>;

export function caseRun(given: {
  readonly contract: Contract;
  /** A client of the real service, used by this case only. */
  readonly client: Client;
  /** The number in the case's id. Ids of created resources derive from it, so that cases do not conflict. */
  readonly caseNumber: number;
  readonly subject: ConformanceSubject;
  /** Adds a cleanup that runs after the case, even if it fails. Cleanups run in reverse order. */
  readonly afterwards: Afterwards;
}) {
  const { contract, client, caseNumber, afterwards } = given;
  return {
    contract,
    caseNumber,
    afterwards,
    ...callsOf(client, contract),
    /** Serves these handlers until the case is over. Needs `server`. */
    serve: (handlers: Handlers, options: CaseServerOptions = {}) => serveCase(given, contract, handlers, options),
    /** Serves these handlers of `roundtrip.conformance.v1` until the case is over. Needs `server`. */
    serveConformance: (handlers: Handlers, options: CaseServerOptions = {}) =>
      serveCase(given, servedContract(), handlers, options),
  };
}

export type CaseRun = ReturnType<typeof caseRun>;
