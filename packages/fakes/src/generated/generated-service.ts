// A service that answers every operation of any contract from the contract alone: it stores resources and makes all else up.
import {
  type Contract,
  type Handler,
  type Handlers,
  type Service,
  type StreamHandler,
  mapped,
  onlyRequest,
  type Operation,
} from "@roundtrip/contract";
import { hasBehaviorInside, withoutBehavior } from "@roundtrip/contract/field-rules";
import { serviceOf } from "@roundtrip/contract/service";
import { analysedContract } from "./analysed-contract.ts";
import { readingRequests, type IgnoreInRequest } from "../resources/field-behaviors.ts";
import { SessionState } from "../resources/session-state.ts";
import type { Message } from "@bufbuild/protobuf";
import { insideOf, readMasks } from "../resources/masks.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import { standardHandler } from "./standard-services.ts";
import type { AnswerMaker } from "../answers/answer-maker.ts";

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
        for (let index = 0; index < leastAnswers + (hash % 3); index++)
          yield read(answers.answer(request, hash, index));
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

/** Each call creates a service with its own state. */
export function generatedService(contract: Contract, seed: number): Service {
  const { maker, methods, operations } = analysedContract(contract, seed);
  const state = new SessionState(methods.model);
  let store: OperationStore | undefined;
  const answering = (operation: Operation): Handler | StreamHandler => {
    const handler = methods.of(operation)?.(state) ?? madeUpHandler(maker, operation);
    return withBehaviors(operation, readingRequests(methods.model.resources, operation), handler);
  };
  const handlers: Handlers = new MadeWhenCalled((id) => {
    const operation = contract.operation(id);
    store ??= operations.store();
    const own = standardHandler(contract, operation) ?? operations.handlerOf(operation, store);
    if (own !== undefined) return own;
    const started = operations.startedBy(operation);
    if (started === undefined) return answering(operation);
    return operations.starting(operation, started, answering(started.work) as Handler, store);
  });
  return serviceOf(contract, handlers);
}
