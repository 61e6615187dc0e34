// A service that answers every operation of any contract from the contract alone: it stores resources and makes all else up.
import {
  type Contract,
  type Handler,
  type Handlers,
  mapped,
  onlyRequest,
  type Operation,
  type Service,
  type StoredMemory,
  type StreamHandler,
} from "@roundtrip/contract";
import { contractOfWork } from "../resources/long-running.ts";
import { OperationMethods, type OperationStore } from "../operations/operation-methods.ts";
import { referencesTo } from "../resources/references.ts";
import { type EarlierService, rereading } from "../resources/reread.ts";
import { trialProperty } from "../resources/request-properties.ts";
import { AnsweredRequests, rememberingRequests } from "../resources/repeated-requests.ts";
import { ResourceMethods } from "../resources/resource-methods.ts";
import { creationTimes, orderTimes } from "../answers/times-between.ts";
import { AnswerMaker } from "../answers/answer-maker.ts";
import { hasBehaviorInside, withoutBehavior } from "@roundtrip/contract/field-rules";
import { serviceOf } from "@roundtrip/contract/service";
import { findResources } from "@roundtrip/contract/resources";
import { type IgnoreInRequest, readingRequests } from "../resources/service-fields.ts";
import { resourceIn } from "../resources/keys.ts";
import { sessionMemory, SessionState } from "../resources/session-state.ts";
import type { Message } from "@bufbuild/protobuf";
import { insideOf, readMasks, type Reading } from "../resources/masks.ts";

/** Services with an implementation for gRPC, under all their names. */
const standardServices = /^grpc\.(?:health\.v1\.Health|reflection\.v1(?:alpha)?\.ServerReflection)$/;

/** Undefined for an operation of another service. The implementation is loaded with the first call. */
function standardHandler(contract: Contract, operation: Operation): Handler | StreamHandler | undefined {
  const { kind, method } = operation;
  if (!standardServices.test(method.parent.typeName)) return undefined;
  const load = async (): Promise<Handler | StreamHandler> => {
    const { standardHandler: handlerOf } = await import("@roundtrip/styles/grpc/standard-handlers");
    return handlerOf(contract, operation);
  };
  let loaded: ReturnType<typeof load> | undefined;
  if (kind === "unary") {
    const unary: Handler = async (request, call) => ((await (loaded ??= load())) as Handler)(request, call);
    return unary;
  }
  const stream: StreamHandler = async function* (requests, call) {
    yield* ((await (loaded ??= load())) as StreamHandler)(requests, call);
  };
  return stream;
}

/** Computed once for each contract and seed. */
export interface AnalysedContract {
  readonly maker: AnswerMaker;
  readonly methods: ResourceMethods;
  readonly operations: OperationMethods;
}

const analysed = new WeakMap<Contract, Map<number, AnalysedContract>>();

/** The same object for the same contract and seed. */
export function analysedContract(contract: Contract, seed: number): AnalysedContract {
  let bySeed = analysed.get(contract);
  if (bySeed === undefined) analysed.set(contract, (bySeed = new Map()));
  let found = bySeed.get(seed);
  if (found === undefined) {
    const work = contractOfWork(contract);
    const resources = findResources(work);
    const [references, created] = [referencesTo(work, resources), creationTimes(resources)];
    const maker = new AnswerMaker(contract, seed, (field) => references(field) ?? created(field));
    const methods = new ResourceMethods(work, maker, resources);
    bySeed.set(seed, (found = { maker, methods, operations: new OperationMethods(contract, maker) }));
  }
  return found;
}

/** The number of messages in a stream; some requests get one more. */
const leastAnswers = 3;

function madeUpHandler(maker: AnswerMaker, operation: Operation): Handler | StreamHandler {
  const answers = maker.of(operation);
  const masks = readMasks(operation, insideOf(operation));
  switch (operation.kind) {
    case "unary":
      return (request: Message) => masks(request)(answers.answerTo(request));
    case "server_streaming":
      return async function* (requests: AsyncIterable<Message>) {
        const request = await onlyRequest(requests);
        const read = masks(request);
        const hash = answers.hash(request);
        const events = Array.from({ length: leastAnswers + (hash % 3) }, (_, index) =>
          answers.answer(request, hash, index),
        );
        orderTimes(operation.output, events);
        for (const event of events) yield read(event);
      };
    case "client_streaming":
      return async function* (requests: AsyncIterable<Message>) {
        let hash = 0;
        for await (const request of requests) hash = answers.hash(request, hash);
        yield answers.answer(undefined, hash, 0);
      };
    case "bidi_streaming":
      return async function* (requests: AsyncIterable<Message>) {
        let hash = 0;
        let index = 0;
        for await (const request of requests) {
          hash = answers.hash(request, hash);
          yield answers.answer(request, hash, index++);
        }
      };
  }
}

/** Creates handlers on the first call, so that a session of a large contract costs only what it uses. */
class MadeWhenCalled extends Map<string, Handler | StreamHandler> {
  readonly #make: (id: string) => Handler | StreamHandler;

  constructor(make: (id: string) => Handler | StreamHandler) {
    super();
    this.#make = make;
  }

  override get(id: string): Handler | StreamHandler {
    let handler = super.get(id);
    if (handler === undefined) this.set(id, (handler = this.#make(id)));
    return handler;
  }
}

/** The handler with requests as the service reads them, and answers without INPUT_ONLY fields. */
function withBehaviors(
  { input, output, kind }: Operation,
  read: IgnoreInRequest,
  handler: Handler | StreamHandler,
): Handler | StreamHandler {
  const isPlain = !hasBehaviorInside(input, "output-only") && !hasBehaviorInside(output, "input-only");
  if (isPlain) return handler;
  const shown = (answer: Message): Message => withoutBehavior(output, answer, "input-only");
  if (kind === "unary") {
    const answer = handler as Handler;
    const unary: Handler = (request, call) => {
      const answered = answer(read(request), call);
      return answered instanceof Promise ? answered.then(shown) : shown(answered);
    };
    return unary;
  }
  const answers = handler as StreamHandler;
  const stream: StreamHandler = (requests, call) => mapped(answers(mapped(requests, read), call), shown);
  return stream;
}

/** What a service stores. */
interface Stored {
  readonly contract: Contract;
  readonly methods: ResourceMethods;
  readonly state: SessionState;
  readonly answered: AnsweredRequests;
  /** Made with the first call. */
  operations: OperationStore | undefined;
}

const storedBy = new WeakMap<Service, Stored>();

/** Fills the new store with what an earlier one has, and reports what it cannot take over. */
function takeOver(
  { contract, state, answered, operations }: Stored,
  earlier: Stored,
  onReset: EarlierService["onReset"],
): void {
  state.takeOver(earlier.state, rereading(earlier.contract, contract), onReset);
  answered.takeOver(earlier.answered, earlier.contract, contract, onReset);
  if (earlier.operations !== undefined) operations?.takeOver(earlier.operations, earlier.contract, contract, onReset);
}

/** How an answer that did not come from the service itself is kept. */
export interface Keeping {
  readonly request: Message;
  /** Undefined for the default: the answers of standard Create methods are kept. */
  readonly isAsked: boolean | undefined;
  /** The answer that the service gave. The other replaces what a Create method made. */
  readonly before: Message | undefined;
}

/** Reduces answers to the fields that a request asks for. @param service what answers behind all layers */
export function readingOf(service: Service, operation: Operation, request: Message): Reading {
  const resource = storedBy.get(service)?.methods.about(operation)?.resource;
  return readMasks(operation, insideOf(operation, resource))(request);
}

/**
 * Makes the resource in an answer, such as that of a stub, one of the session, or removes what the call created if that is not to be kept. An answer
 * without a resource, or without its key, is not kept; nor is that of a trial, or of a repeated request.
 */
export function keepAnswer(
  service: Service,
  operation: Operation,
  answer: Message,
  { request, isAsked, before }: Keeping,
): void {
  const { methods, state, answered } = storedBy.get(service) ?? {};
  const about = methods?.about(operation);
  const isCreate = about?.verb === "create";
  if (state === undefined || about === undefined || !(isCreate || isAsked === true)) return;
  if (trialProperty(operation.input)(request)) return;
  if (before !== undefined && answered?.hasRepeated(before) === true) return;
  const made = isCreate ? before : undefined;
  const [kept, replaced] = [answer, made].map((message) => message && resourceIn(about.resource, operation, message));
  const store = state.storeOf(about.resource);
  if (isAsked !== false && kept !== undefined) store.keep(kept, replaced);
  if (isAsked === false && replaced !== undefined && store.find(replaced.key) !== undefined) store.remove(replaced.key);
}

/**
 * Each call creates a service with its own state.
 * @param memory counts what is stored. Default: only the limit of a session applies
 * @param earlier its state is taken over
 */
export function generatedService(
  contract: Contract,
  seed: number,
  memory: StoredMemory = sessionMemory(),
  earlier?: EarlierService,
): Service {
  const { maker, methods, operations } = analysedContract(contract, seed);
  const state = new SessionState(methods.model, memory);
  const answered = new AnsweredRequests(memory);
  const stored: Stored = { contract, methods, state, answered, operations: undefined };
  const answering = (operation: Operation): Handler | StreamHandler => {
    const handler = methods.of(operation)?.(state) ?? madeUpHandler(maker, operation);
    return withBehaviors(operation, readingRequests(methods.model.resources, operation), handler);
  };
  const handlerOf = (operation: Operation): Handler | StreamHandler => {
    const store = (stored.operations ??= operations.store(memory));
    const own = standardHandler(contract, operation) ?? operations.handlerOf(operation, store);
    if (own !== undefined) return own;
    const started = operations.startedBy(operation);
    if (started === undefined) return answering(operation);
    return operations.starting(operation, started, answering(started.work) as Handler, store);
  };
  const handlers: Handlers = new MadeWhenCalled((id) => {
    const operation = contract.operation(id);
    const handler = handlerOf(operation);
    return operation.kind === "unary" ? rememberingRequests(operation, handler as Handler, answered) : handler;
  });
  const service = serviceOf(contract, handlers);
  storedBy.set(service, stored);
  const before = earlier === undefined ? undefined : storedBy.get(earlier.service);
  if (earlier === undefined || before === undefined) return service;
  if (before.operations !== undefined) stored.operations = operations.store(memory);
  takeOver(stored, before, earlier.onReset);
  return service;
}
