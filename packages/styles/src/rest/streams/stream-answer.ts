// A stream of answers, whose next message is asked for when the connection has taken the one before. An error before the first message is
// an error like any other; one after it stands in the stream, because the status has been sent.
import type { Message } from "@bufbuild/protobuf";
import { CallError, ConnectionCut, type ServerCall } from "@roundtrip/contract";
import { firstHalf } from "../../shared/first-half.ts";
import type { AnswerHeaders, HttpAnswer } from "../../shared/http/http-answer.ts";
import { metadataHeaders, problemFor } from "../answers/answer.ts";
import type { Route } from "../routing/routes.ts";
import { eventsType, type StreamForm } from "./stream-form.ts";

/** What a stream of answers needs beside the messages. */
export interface StreamAnswer {
  readonly call: ServerCall;
  readonly route: Route;
  readonly form: StreamForm;
  /** Those that the answer has in any case; undefined without any. */
  readonly headers: AnswerHeaders | undefined;
  /** Whether there shall be headers and nothing else (HEAD). */
  readonly headersOnly: boolean;
}

type Piece = string | Uint8Array;

const noMore = { done: true, value: undefined } as const;

/** The beginning of a message that is cut; undefined where nothing of it can be sent. */
function beginOf(form: StreamForm, message: Message | undefined): Uint8Array | undefined {
  if (message === undefined) return undefined;
  try {
    const piece = form.message(message);
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    return bytes.length === 0 ? undefined : firstHalf(bytes);
  } catch {
    // Not a message that could be written.
    return undefined;
  }
}

/** The messages as they are written, then what ends them. Throws what the connection shall break at. */
class Pieces implements AsyncIterable<Piece>, AsyncIterator<Piece> {
  readonly #messages: AsyncIterator<Message>;
  readonly #to: StreamAnswer;
  #first: Promise<IteratorResult<Message>> | undefined;
  /** What the stream ends with once the piece before is out. */
  #cut: ConnectionCut | undefined;
  #isOver = false;

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
      if (result.done !== true) return { done: false, value: form.message(result.value) };
    } catch (thrown) {
      return this.#failed(thrown);
    }
    this.#end();
    return form.end === "" ? noMore : { done: false, value: form.end };
  }

  async return(): Promise<IteratorResult<Piece, undefined>> {
    this.#end();
    await this.#messages.return?.();
    return noMore;
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
    const problem = problemFor(route.fields.spelled(CallError.from(thrown)));
    return { done: false, value: form.error(JSON.stringify(problem)) };
  }
}

function headersOf({ call, form, headers }: StreamAnswer): AnswerHeaders {
  return {
    ...headers,
    ...metadataHeaders(call),
    // Whoever stands between shall neither keep events nor hold them back.
    ...(form.type === eventsType ? { "cache-control": "no-store" } : undefined),
    "content-type": form.type,
  };
}

/** Resolves when there is a first message, or none. Rejects when there was an error instead. */
export async function streamAnswer(answers: AsyncIterable<Message>, to: StreamAnswer): Promise<HttpAnswer> {
  const messages = answers[Symbol.asyncIterator]();
  const first = messages.next();
  let begin: Uint8Array | undefined;
  let cut: HttpAnswer["cut"];
  try {
    await first;
  } catch (thrown) {
    if (!(thrown instanceof ConnectionCut) || thrown.partOf === undefined) throw thrown;
    begin = beginOf(to.form, thrown.partOf);
    cut = "inside";
  }
  const pieces = new Pieces(messages, first, to);
  let headers: AnswerHeaders;
  try {
    headers = headersOf(to);
  } catch (unsendable) {
    await pieces.return();
    throw unsendable;
  }
  const isWithoutBody = to.headersOnly || (cut !== undefined && begin === undefined);
  if (!isWithoutBody) return { status: 200, headers, body: pieces, cut: undefined };
  await pieces.return();
  return { status: 200, headers, body: undefined, cut };
}
