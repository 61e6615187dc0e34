// One HTTP request of JSON-RPC: a call or a batch, its answers, and errors before a call begins.
import type { JsonValue } from "@bufbuild/protobuf";
import { CallError, ownTurn, sliceMs } from "@roundtrip/contract";
import { errorJson, refusalText, rpcCodes } from "./errors.ts";
import { maxCallsInBatch, maxIdCharacters, requestIn, type RpcRequest, type RpcResponse } from "./messages.ts";
import type { MissingMethod, RpcMethods } from "./methods.ts";
import {
  droppedAnswer,
  type WholeAnswer,
  HttpError,
  type ReceivedRequest,
  type ServedExchange,
  neverAborted,
  textAnswer,
  checkJsonType,
  parsedJson,
} from "../shared/http/http-service.ts";
import { SharedCalls } from "../shared/http/shared-calls.ts";
import { asReceived, parseExactly } from "../shared/proto-json/scalars.ts";
import { jsonMediaType } from "../shared/call-headers.ts";

// Answers single requests: the part of a server that libraries replace.

/** Returns or resolves to the response. For a notification it may be null or anything: it is not sent. Never throws or rejects. */
export type AnswerRequest = (
  request: RpcRequest,
  calls: SharedCalls,
) => RpcResponse | null | PromiseLike<RpcResponse | null>;

/** The response of a failed call. @param thrown anything that a method throws. */
export function errorResponse(id: RpcResponse["id"], thrown: unknown): RpcResponse {
  return { jsonrpc: "2.0", id, error: errorJson(CallError.from(thrown)) };
}

/** Answers without a library. */
export function answerDirectly(methods: RpcMethods, missing: MissingMethod): AnswerRequest {
  return ({ id = null, method, params }, calls) => {
    try {
      const found = methods.get(method);
      if (found === undefined) return missing(method).then((error) => errorResponse(id, error));
      const result = found.call(params, calls);
      if (!(result instanceof Promise)) return { jsonrpc: "2.0", id, result };
      return result.then(
        (value) => ({ jsonrpc: "2.0", id, result: value }),
        (thrown: unknown) => errorResponse(id, thrown),
      );
    } catch (thrown) {
      return errorResponse(id, thrown);
    }
  };
}

export interface RpcServer {
  readonly methods: RpcMethods;
  readonly answer: AnswerRequest;
}

/** The text of a response; undefined for a notification. */
type ResponseText = string | undefined;
type LaterText = ResponseText | PromiseLike<ResponseText>;

const noBody = new Uint8Array();
const invalid = refusalText(
  new CallError("INVALID_ARGUMENT", `not a JSON-RPC 2.0 request (an id has at most ${maxIdCharacters} characters)`),
  rpcCodes.invalidRequest,
);
const emptyBatch = refusalText(new CallError("INVALID_ARGUMENT", "the batch is empty"), rpcCodes.invalidRequest);
const tooManyCalls = refusalText(new CallError("RESOURCE_EXHAUSTED", `a batch has at most ${maxCallsInBatch} calls`));

function isLater(text: LaterText): text is PromiseLike<ResponseText> {
  return typeof text === "object";
}

/** An answer of JSON-RPC has status 200 even if it is an error: libraries take other statuses for errors of HTTP, and do not read the body. */
export function refusal(thrown: unknown): WholeAnswer {
  if (!(thrown instanceof HttpError)) {
    return textAnswer(200, jsonMediaType, refusalText(CallError.from(thrown), rpcCodes.parseError), undefined);
  }
  return textAnswer(thrown.status, jsonMediaType, refusalText(thrown.error), thrown.headers);
}

export class RpcExchange implements ServedExchange {
  readonly takes = "body";
  readonly signal: AbortSignal = neverAborted;
  readonly #server: RpcServer;
  readonly #request: ReceivedRequest;
  readonly #calls: SharedCalls;

  constructor(server: RpcServer, request: ReceivedRequest) {
    this.#server = server;
    this.#request = request;
    this.#calls = new SharedCalls(request);
  }

  answer(body: Uint8Array | undefined): WholeAnswer | Promise<WholeAnswer> {
    let received: JsonValue;
    try {
      if (body !== undefined) checkJsonType(this.#request.headers["content-type"]);
      received = parsedJson(body ?? noBody, parseExactly);
    } catch (thrown) {
      return refusal(thrown);
    }
    if (!Array.isArray(received)) return this.#single(received);
    const text = this.#batch(received);
    return isLater(text) ? Promise.resolve(text).then((later) => this.#whole(later)) : this.#whole(text);
  }

  // oxlint-disable-next-line require-await -- bodies are never read in pieces
  async answerPieces(): Promise<WholeAnswer> {
    return droppedAnswer;
  }

  refuse(thrown: unknown): WholeAnswer {
    return refusal(thrown);
  }

  cancel(): void {
    this.#calls.cancel();
  }

  #whole(text: ResponseText): WholeAnswer {
    const { cut, headers } = this.#calls;
    if (cut === "before") return droppedAnswer;
    // A notification has no response object (specification, section 4.1).
    if (text === undefined) return { status: 204, headers: headers ?? {}, body: undefined, cut };
    const answer = textAnswer(200, jsonMediaType, text, headers);
    return cut === undefined ? answer : { ...answer, cut };
  }

  /** A call without a batch: libraries answer later, and each further promise costs as much as reading a small request. */
  #single(json: JsonValue): WholeAnswer | Promise<WholeAnswer> {
    const request = requestIn(json);
    if (request === undefined) return this.#whole(invalid);
    const response = this.#server.answer(request, this.#calls);
    if (response === null || !("then" in response)) return this.#whole(this.#text(request, response));
    return Promise.resolve(response).then((later) => this.#whole(this.#text(request, later)));
  }

  #one(json: JsonValue): LaterText {
    const request = requestIn(json);
    if (request === undefined) return invalid;
    const response = this.#server.answer(request, this.#calls);
    if (response === null || !("then" in response)) return this.#text(request, response);
    return response.then((later) => this.#text(request, later));
  }

  // oxlint-disable-next-line class-methods-use-this -- beside its callers
  #text({ id }: RpcRequest, response: RpcResponse | null): ResponseText {
    if (id === undefined) return undefined;
    // A library without a response has a fault.
    const sent = response ?? errorResponse(id, undefined);
    return JSON.stringify(typeof id === "symbol" ? { ...sent, id: asReceived(id) } : sent);
  }

  /** Calls run at the same time; one after the other if some may change something, so that effects have the order of the batch. */
  #batch(items: readonly JsonValue[]): LaterText {
    if (items.length === 0) return emptyBatch;
    if (items.length > maxCallsInBatch) return tooManyCalls;
    const isInOrder = items.some((item) => this.#hasEffects(item));
    return this.#inTurns(items, isInOrder);
  }

  #hasEffects(item: JsonValue): boolean {
    const { method } = requestIn(item) ?? { method: "" };
    return this.#server.methods.get(method)?.hasEffects === true;
  }

  /** Calls that take long together leave time for other requests. */
  async #inTurns(items: readonly JsonValue[], isInOrder: boolean): Promise<ResponseText> {
    const texts: LaterText[] = [];
    let endsAtMs = performance.now() + sliceMs;
    for (const item of items) {
      if (performance.now() >= endsAtMs) {
        // oxlint-disable-next-line no-await-in-loop -- the next calls begin in another turn of the event loop
        await ownTurn();
        endsAtMs = performance.now() + sliceMs;
      }
      const text = this.#one(item);
      // oxlint-disable-next-line no-await-in-loop -- each call sees the effects of those before
      texts.push(isInOrder ? await text : text);
    }
    return batchText(await Promise.all(texts.map(async (text) => text)));
  }
}

/** Undefined if the batch has notifications only: then there is no response, not an empty one (specification, section 6). */
function batchText(texts: readonly ResponseText[]): ResponseText {
  const sent = texts.filter((text) => text !== undefined);
  return sent.length === 0 ? undefined : `[${sent.join(",")}]`;
}
