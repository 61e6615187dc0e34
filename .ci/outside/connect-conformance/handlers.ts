// Handlers of connectrpc.conformance.v1.ConformanceService, by the comments in its `service.proto`. What a handler here cannot do is left out:
// it cannot read the deadline, has no trailers beside an answer, and an error carries no details of other types.
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { setTimeout } from "node:timers/promises";
import {
  CallError,
  codeFromGrpc,
  onlyRequest,
  type CallContext,
  type Contract,
  type Handlers,
  type Handler,
  type StreamHandler,
} from "../../../packages/contract/src/index.ts";

interface Header {
  readonly name: string;
  readonly value: readonly string[];
}

interface ErrorToRaise {
  readonly code: number;
  readonly message?: string;
}

interface Definition {
  readonly responseHeaders: readonly Header[];
  readonly responseTrailers: readonly Header[];
  readonly responseDelayMs: number;
}

interface UnaryDefinition extends Definition {
  readonly response:
    | { readonly case: "responseData"; readonly value: Uint8Array }
    | { readonly case: "error"; readonly value: ErrorToRaise }
    | { readonly case: undefined };
}

interface StreamDefinition extends Definition {
  readonly responseData: readonly Uint8Array[];
  readonly error?: ErrorToRaise;
}

interface Request<D extends Definition> extends Message {
  readonly responseDefinition?: D;
  readonly fullDuplex?: boolean;
}

type UnaryRequest = Request<UnaryDefinition>;
type StreamRequest = Request<StreamDefinition>;

/** The part of a request's echo that only the first answer has. */
function headersOf({ metadata }: CallContext): object {
  return { requestHeaders: [...metadata].map(([name, value]) => ({ name, value: [value] })) };
}

function sendMetadata(headers: readonly Header[], { answerMetadata }: CallContext): void {
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    const before = answerMetadata.get(key);
    answerMetadata.set(key, [...(before === undefined ? [] : [before]), ...value].join(", "));
  }
}

function failWith({ code, message = "" }: ErrorToRaise): never {
  throw new CallError(codeFromGrpc(code), message);
}

/** The messages of the service's own contract. */
class Answers {
  readonly #contract: Contract;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  of(method: string, payload: { readonly data?: Uint8Array; readonly requestInfo?: object }): Message {
    return create(this.#contract.operation(`${service}.${method}`).output, { payload });
  }

  /** Requests as a server echoes them. */
  echoed(requests: readonly Message[]): object {
    return { requests: requests.map((request) => anyPack(this.#schema(request.$typeName), request)) };
  }

  #schema(name: string): DescMessage {
    const schema = this.#contract.registry.getMessage(name);
    if (schema === undefined) throw new Error(`the contract has no message ${name}`);
    return schema;
  }
}

/** A call without a stream of answers. */
interface SingleAnswer {
  readonly method: string;
  readonly definition: UnaryDefinition | undefined;
  readonly requests: readonly Message[];
}

async function answerOnce(answers: Answers, asked: SingleAnswer, context: CallContext): Promise<Message> {
  const { method, definition, requests } = asked;
  const requestInfo = { ...headersOf(context), ...answers.echoed(requests) };
  if (definition === undefined) return answers.of(method, { requestInfo });
  const { response, responseHeaders, responseTrailers, responseDelayMs } = definition;
  sendMetadata(responseHeaders, context);
  await setTimeout(responseDelayMs);
  if (response.case !== "error") {
    return answers.of(method, { requestInfo, ...(response.case === undefined ? {} : { data: response.value }) });
  }
  sendMetadata(responseTrailers, context);
  return failWith(response.value);
}

/** A stream of answers, whose definition the first request has. */
interface StreamedAnswers {
  readonly method: string;
  readonly definition: StreamDefinition | undefined;
  /** What the answer with this index echoes. */
  readonly infoOf: (index: number) => object | undefined;
  /** Resolves when the answer may be sent: in full duplex, when its request is here. */
  readonly before: (index: number) => Promise<void>;
}

const atOnce = (): Promise<void> => Promise.resolve();

async function* answerStream(answers: Answers, asked: StreamedAnswers, context: CallContext): AsyncIterable<Message> {
  const { method, definition, infoOf, before } = asked;
  if (definition === undefined) return;
  const { responseHeaders, responseTrailers, responseData, responseDelayMs, error } = definition;
  sendMetadata(responseHeaders, context);
  for (const [index, data] of responseData.entries()) {
    await before(index);
    await setTimeout(responseDelayMs);
    const requestInfo = infoOf(index);
    yield answers.of(method, { data, ...(requestInfo === undefined ? {} : { requestInfo }) });
  }
  if (error === undefined) return;
  if (responseData.length === 0) sendMetadata(responseTrailers, context);
  failWith(error);
}

async function* bidiStream(
  answers: Answers,
  requests: AsyncIterable<Message>,
  context: CallContext,
): AsyncIterable<Message> {
  const incoming = requests[Symbol.asyncIterator]();
  let unanswered: Message[] = [];
  const receive = async (): Promise<Message | undefined> => {
    const { done, value } = await incoming.next();
    if (done === true) return undefined;
    unanswered.push(value);
    return value;
  };
  const first: StreamRequest | undefined = await receive();
  const { responseDefinition: definition, fullDuplex = false } = first ?? {};
  const count = definition?.responseData.length ?? 0;
  if (!fullDuplex) while ((await receive()) !== undefined);
  const infoOf = (index: number): object | undefined => {
    if (index > 0 && unanswered.length === 0) return undefined;
    const info = { ...(index === 0 ? headersOf(context) : {}), ...answers.echoed(unanswered) };
    unanswered = [];
    return info;
  };
  const before = async (index: number): Promise<void> => {
    if (fullDuplex && index > 0) await receive();
  };
  yield* answerStream(answers, { method: "BidiStream", definition, infoOf, before }, context);
  // Only when all is answered: a caller in full duplex waits for answers before it goes on.
  if (fullDuplex && count > 0) while ((await receive()) !== undefined);
}

/** The full name of the service. */
const service = "connectrpc.conformance.v1.ConformanceService";

/** Handlers for its operations, but for `Unimplemented`. */
export function conformanceHandlers(contract: Contract): Handlers {
  const answers = new Answers(contract);
  const unary = (method: string) => (request: Message, context: CallContext) => {
    const { responseDefinition: definition } = request as UnaryRequest;
    return answerOnce(answers, { method, definition, requests: [request] }, context);
  };
  async function* clientStream(incoming: AsyncIterable<Message>, context: CallContext): AsyncIterable<Message> {
    const requests: Message[] = [];
    for await (const request of incoming) requests.push(request);
    const [first]: readonly UnaryRequest[] = requests;
    const definition = first?.responseDefinition;
    yield await answerOnce(answers, { method: "ClientStream", definition, requests }, context);
  }
  async function* serverStream(incoming: AsyncIterable<Message>, context: CallContext): AsyncIterable<Message> {
    const request = await onlyRequest(incoming);
    const { responseDefinition: definition } = request as StreamRequest;
    const infoOf = (index: number): object | undefined =>
      index > 0 ? undefined : { ...headersOf(context), ...answers.echoed([request]) };
    yield* answerStream(answers, { method: "ServerStream", definition, infoOf, before: atOnce }, context);
  }
  return new Map<string, Handler | StreamHandler>([
    [`${service}.Unary`, unary("Unary")],
    [`${service}.IdempotentUnary`, unary("IdempotentUnary")],
    [`${service}.ClientStream`, clientStream],
    [`${service}.ServerStream`, serverStream],
    [`${service}.BidiStream`, (...call: Parameters<StreamHandler>) => bidiStream(answers, ...call)],
  ]);
}
