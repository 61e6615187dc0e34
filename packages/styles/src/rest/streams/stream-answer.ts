// Answers with a stream, no faster than the connection accepts it. An error after the first message is part of the stream: the status is sent.
import type { Message } from "@bufbuild/protobuf";
import { CallError, ConnectionCut, type ServerCall, firstHalf } from "@roundtrip/contract";
import { type AnswerHeaders, type HttpAnswer } from "../../shared/http/http-service.ts";
import { statusOf } from "../dialects.ts";
import { rawBodyOf } from "../raw-bodies.ts";
import type { Route } from "../routes.ts";
import { eventsType, type StreamForm } from "./stream-form.ts";

export interface StreamAnswer {
  readonly call: ServerCall;
  readonly route: Route;
  readonly form: StreamForm;
  readonly headers: AnswerHeaders | undefined;
  /** Whether to send headers only (HEAD). */
  readonly headersOnly: boolean;
}

type Piece = string | Uint8Array;

const noMore = { done: true, value: undefined } as const;

/** The first half of a message to cut off; undefined if it cannot be serialised. */
function beginOf(form: StreamForm, message: Message | undefined): Uint8Array | undefined {
  if (message === undefined) return undefined;
  try {
    const piece = form.message(message);
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    return bytes.length === 0 ? undefined : firstHalf(bytes);
  } catch {
    return undefined;
  }
}

/** The serialised messages and the end of the stream. Throws where the connection must close. */
class Pieces implements AsyncIterable<Piece>, AsyncIterator<Piece> {
  readonly #messages: AsyncIterator<Message>;
  readonly #to: StreamAnswer;
  #first: Promise<IteratorResult<Message>> | undefined;
  /** The connection to cut, after the previous piece is sent. */
  #cut: ConnectionCut | undefined;
  #isOver = false;
  #isBegun = false;

  constructor(messages: AsyncIterator<Message>, first: Promise<IteratorResult<Message>>, to: StreamAnswer) {
    this.#messages = messages;
    this.#first = first;
    this.#to = to;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Piece, undefined>> {
    if (this.#cut !== undefined) throw this.#cut;
    if (this.#isOver) return noMore;
    const { form } = this.#to;
    try {
      const coming = this.#first ?? this.#messages.next();
      this.#first = undefined;
      const result = await coming;
      if (result.done !== true) return { done: false, value: this.#item(this.#text(result.value)) };
    } catch (thrown) {
      return this.#failed(thrown);
    }
    this.#end();
    if (form.isArray) return { done: false, value: this.#isBegun ? "]" : "[]" };
    return form.end === "" ? noMore : { done: false, value: form.end };
  }

  async return(): Promise<IteratorResult<Piece, undefined>> {
    this.#end();
    await this.#messages.return?.();
    return noMore;
  }

  #text(message: Message): Piece {
    const { form, call, route } = this.#to;
    try {
      return form.message(message);
    } catch (thrown) {
      throw call.unsent(thrown, route.operation.id);
    }
  }

  #item(piece: Piece): Piece {
    if (!this.#to.form.isArray) return piece;
    const before = this.#isBegun ? "\n," : "[";
    this.#isBegun = true;
    return before + piece.toString();
  }

  #end(): void {
    this.#isOver = true;
    this.#to.call.finish();
  }

  async #failed(thrown: unknown): Promise<IteratorResult<Piece, undefined>> {
    const { form, route } = this.#to;
    await this.return();
    if (thrown instanceof ConnectionCut) {
      this.#cut = thrown;
      const begin = beginOf(form, thrown.partOf);
      if (begin === undefined) throw thrown;
      return { done: false, value: begin };
    }
    if (form.error === undefined) throw thrown;
    const error = route.fields.spelled(CallError.from(thrown));
    const { body } = route.dialect.writeError(error, statusOf(error));
    const item = this.#item(form.error(JSON.stringify(body)));
    return { done: false, value: form.isArray ? `${item.toString()}]` : item };
  }
}

/** @param first the first message of the stream, if there is one */
function headersOf({ call, route, form, headers }: StreamAnswer, first: Message | undefined): AnswerHeaders {
  const type = form.raw === undefined ? form.type : first === undefined ? "" : rawBodyOf(first, form.raw).type;
  return {
    ...headers,
    ...route.dialect.metadataOf(call),
    // Proxies must neither cache nor buffer events.
    ...(form.type === eventsType ? { "cache-control": "no-store" } : undefined),
    ...(type === "" ? undefined : { "content-type": type }),
  };
}

/** Resolves when the first message is available, or the stream is empty. Rejects if the stream begins with an error. */
export async function streamAnswer(answers: AsyncIterable<Message>, to: StreamAnswer): Promise<HttpAnswer> {
  const messages = answers[Symbol.asyncIterator]();
  const first = messages.next();
  let begin: Uint8Array | undefined;
  let cut: HttpAnswer["cut"];
  let message: Message | undefined;
  try {
    const { done, value } = await first;
    if (done !== true) message = value;
  } catch (thrown) {
    if (!(thrown instanceof ConnectionCut) || thrown.partOf === undefined) throw thrown;
    message = thrown.partOf;
    begin = beginOf(to.form, thrown.partOf);
    cut = "inside";
  }
  const pieces = new Pieces(messages, first, to);
  let headers: AnswerHeaders;
  try {
    headers = headersOf(to, message);
  } catch (unsendable) {
    await pieces.return();
    throw to.call.unsent(unsendable, to.route.operation.id);
  }
  const isWithoutBody = to.headersOnly || (cut !== undefined && begin === undefined);
  if (!isWithoutBody) return { status: 200, headers, body: pieces, cut: undefined };
  await pieces.return();
  return { status: 200, headers, body: undefined, cut };
}
