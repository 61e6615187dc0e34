// The context of a running case: typed calls, a separate server if it needs one, and cleanup.
import { create, type Message, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { DescMethod, DescMethodUnary } from "@bufbuild/protobuf";
import { type CallOptions, type Client, type Contract, type Handlers, type Interceptor } from "@roundtrip/contract";
import type { Misuse, MisuseTarget, ProtocolMisuse, RawAnswer, Respelling } from "@roundtrip/styles";
import { serviceOf } from "@roundtrip/contract/service";
import { markHandled } from "./mark-handled.ts";
import { conformanceContract } from "./conformance-contract.ts";
import { servedDefaults, type ConformanceSubject, type ServedSettings } from "./subject.ts";

/** Calls a method of a generated service through a client, with messages of the generated types. */
function callWith<M extends DescMethodUnary>(
  { client, contract }: { readonly client: Client; readonly contract: Contract },
  method: M,
  request: MessageInitShape<M["input"]>,
  options?: CallOptions,
): Promise<MessageShape<M["output"]>> {
  const invoke = client.prepare(contract.operation(`${method.parent.typeName}.${method.name}`));
  // The operation and the method have the same output: both come from the same contract.
  return markHandled(invoke(create(method.input, request), options) as Promise<MessageShape<M["output"]>>);
}

/** Reads a stream of a generated service through a client. */
async function* streamWith<M extends DescMethod>(
  { client, contract }: { readonly client: Client; readonly contract: Contract },
  method: M,
  requests: AsyncIterable<MessageInitShape<M["input"]>> | Iterable<MessageInitShape<M["input"]>>,
  options?: CallOptions,
): AsyncGenerator<MessageShape<M["output"]>> {
  const invoke = client.prepareStream(contract.operation(`${method.parent.typeName}.${method.name}`));
  async function* messages(): AsyncGenerator<Message> {
    for await (const request of requests) yield create(method.input, request);
  }
  for await (const answer of invoke(messages(), options)) yield answer as MessageShape<M["output"]>;
}

/** The answer to a misuse, and the answers that the style allows. */
interface MisuseOutcome {
  readonly answer: RawAnswer;
  readonly allowed: readonly RawAnswer[];
}

/** The answers to requests with other spellings, and those that the style allows for an invalid spelling. */
interface SpellingOutcome {
  readonly answers: readonly RawAnswer[];
  readonly refusals: readonly RawAnswer[];
}

/** Thrown by a case that does not apply to the subject, for example to its protocol. The case is skipped. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** A server with the case's own handlers, and a client of it. */
export interface CaseServer {
  readonly client: Client;
  /** Creates another client, with its own connections. */
  readonly connect: () => Promise<Client>;
  /** Calls a method at another address, through a separate client. Needs `misuse`, because subjects without a network have no addresses. */
  readonly callAt: <M extends DescMethodUnary>(
    url: string,
    method: M,
    request: MessageInitShape<M["input"]>,
  ) => Promise<MessageShape<M["output"]>>;
  /** Calls a method through `client`. */
  readonly call: <M extends DescMethodUnary>(
    method: M,
    request: MessageInitShape<M["input"]>,
    options?: CallOptions,
  ) => Promise<MessageShape<M["output"]>>;
  /** Reads a stream through `client`. */
  readonly stream: <M extends DescMethod>(
    method: M,
    requests: AsyncIterable<MessageInitShape<M["input"]>> | Iterable<MessageInitShape<M["input"]>>,
    options?: CallOptions,
  ) => AsyncGenerator<MessageShape<M["output"]>>;
  /** Sends malformed bytes. Needs `misuse`. Rejects with NotApplicable if the misuse does not exist on the protocol. */
  readonly misuse: <M extends DescMethodUnary>(
    misuse: Misuse,
    method: M,
    request: MessageShape<M["input"]>,
  ) => Promise<MisuseOutcome>;
  /**
   * Sends a request in other spellings and resolves to the answer to each. Needs `misuse`. Rejects with NotApplicable if requests are binary
   * or do not contain the part to replace.
   */
  readonly respelled: <M extends DescMethodUnary>(
    respellings: readonly Respelling[],
    method: M,
    request: MessageShape<M["input"]>,
  ) => Promise<SpellingOutcome>;
  /** Takes no new calls, finishes those in flight within the grace time, then stops. */
  readonly stop: () => Promise<void>;
}

/** Options of a case's own server. */
export interface CaseServerOptions extends Partial<ServedSettings> {
  /** Around the handlers' service. */
  readonly intercept?: Interceptor;
}

let readContract: Contract | undefined;

/** Read once: dozens of cases serve it, and servers and clients cache by its descriptors. */
function servedContract(): Contract {
  return (readContract ??= conformanceContract());
}

/** One run of one case. */
export class CaseRun {
  readonly contract: Contract;
  /** A client of the real service, used by this case only. */
  readonly client: Client;
  /** The number in the case's id. Ids of created resources derive from it, so that cases do not conflict. */
  readonly caseNumber: number;
  /** Adds a cleanup that runs after the case, even if it fails. Cleanups run in reverse order. */
  readonly afterwards: (cleanup: () => Promise<void>) => void;
  readonly #subject: ConformanceSubject;

  constructor(options: {
    readonly contract: Contract;
    readonly client: Client;
    readonly caseNumber: number;
    readonly subject: ConformanceSubject;
    afterwards(cleanup: () => Promise<void>): void;
  }) {
    this.contract = options.contract;
    this.client = options.client;
    this.caseNumber = options.caseNumber;
    this.#subject = options.subject;
    this.afterwards = (cleanup) => options.afterwards(cleanup);
  }

  /** Calls a method of the real service. */
  call<M extends DescMethodUnary>(
    method: M,
    request: MessageInitShape<M["input"]>,
    options?: CallOptions,
  ): Promise<MessageShape<M["output"]>> {
    return callWith(this, method, request, options);
  }

  /** Reads a stream of the real service. */
  stream<M extends DescMethod>(
    method: M,
    requests: AsyncIterable<MessageInitShape<M["input"]>> | Iterable<MessageInitShape<M["input"]>>,
    options?: CallOptions,
  ): AsyncGenerator<MessageShape<M["output"]>> {
    return streamWith(this, method, requests, options);
  }

  /** Serves these handlers until the case is over. Needs `server`. */
  serve(handlers: Handlers, options: CaseServerOptions = {}): Promise<CaseServer> {
    return this.#serve(this.contract, handlers, options);
  }

  /** Serves these handlers of `roundtrip.conformance.v1` until the case is over. Needs `server`. */
  serveConformance(handlers: Handlers, options: CaseServerOptions = {}): Promise<CaseServer> {
    return this.#serve(servedContract(), handlers, options);
  }

  async #serve(contract: Contract, handlers: Handlers, options: CaseServerOptions): Promise<CaseServer> {
    if (this.#subject.serve === undefined) throw new Error("the case starts a server and does not say so in its needs");
    const { intercept = (service) => service, ...settings } = options;
    const service = intercept(serviceOf(contract, handlers));
    const served = await this.#subject.serve(service, { ...servedDefaults, ...settings });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= markHandled(served.stop()));
    this.afterwards(stop);
    const closedAfterwards = async (connecting: Promise<Client>) => {
      const client = await connecting;
      this.afterwards(() => client.close());
      return client;
    };
    const connect = () => closedAfterwards(served.connect());
    const client = await connect();
    const protocolMisuse = (): ProtocolMisuse => {
      if (served.misuses === undefined) throw new NotApplicable("the subject cannot send malformed bytes");
      return served.misuses;
    };
    const { maxRequestBytes } = { ...servedDefaults, ...settings };
    const targetOf = (method: DescMethodUnary, request: Message): MisuseTarget => {
      const operation = contract.operation(`${method.parent.typeName}.${method.name}`);
      return { ...served.address, contract, operation, request, maxRequestBytes };
    };
    return {
      client,
      connect,
      stop,
      async callAt(url, method, request) {
        return callWith({ client: await closedAfterwards(served.connectTo(url)), contract }, method, request);
      },
      call: (method, request, callOptions) => callWith({ client, contract }, method, request, callOptions),
      stream: (method, requests, callOptions) => streamWith({ client, contract }, method, requests, callOptions),
      async misuse(misuse, method, request) {
        const attempt = protocolMisuse().attempts[misuse];
        if (attempt === undefined) throw new NotApplicable("this misuse does not exist in the protocol");
        return { answer: await attempt.send(targetOf(method, request)), allowed: attempt.answers };
      },
      async respelled(respellings, method, request) {
        const { spellings } = protocolMisuse();
        if (spellings === undefined) throw new NotApplicable("values are binary, and have only one spelling");
        const answers = await spellings.send(targetOf(method, request), respellings);
        if (answers === undefined)
          throw new NotApplicable("the protocol does not use the ProtoJSON form for this value");
        return { answers, refusals: spellings.refusals };
      },
    };
  }
}
