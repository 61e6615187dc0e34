// An exchange as fetch runs it: what ends it, and what its errors mean to a caller.
import { CallError, callerCancelled, clientClosed } from "@roundtrip/contract";
import { setImmediate as turn } from "node:timers/promises";
import { errors } from "undici";
import { serverUnavailable } from "@roundtrip/styles/client";
import {
  type ExchangeLimits,
  HttpExchange,
  type HttpResponse,
  type HttpStream,
  piecesUntilOver,
  responseTooLarge,
} from "@roundtrip/styles/http/client";

type Head = Pick<HttpResponse, "status" | "headers">;

/** Status and headers; values of a header that came several times are joined with ", ". */
function headOf({ status, headers: given }: Response): Head {
  const headers: Record<string, string> = {};
  for (const [name, value] of given) {
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return { status, headers };
}

/** The pieces of a body as Node.js has bytes, without a copy. */
async function* piecesOf({ body }: Response): AsyncGenerator<Buffer> {
  if (body === null) return;
  for await (const { buffer, byteOffset, byteLength } of body) yield Buffer.from(buffer, byteOffset, byteLength);
}

/** One request and its response. */
export class FetchExchange extends HttpExchange {
  readonly #origin: string;
  /** Aborted when the exchange fails. */
  readonly #abort = new AbortController();
  /** Aborted when the exchange is over, in whatever way: nobody takes more of a streamed request from then on. */
  #over: AbortController | undefined;

  constructor(origin: string, limits: ExchangeLimits) {
    // Whoever waits for fetch is rejected by it.
    super(limits, () => {});
    this.#origin = origin;
    this.begun(this.#abort);
  }

  /** The request's body as fetch takes it: its fault is the call's, and it stops with the call. */
  requestBody(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#over = new AbortController();
    return piecesUntilOver(pieces, this.#over.signal, this);
  }

  /** Resolves once the response has begun. Rejects with a CallError. */
  async respond(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, { ...init, redirect: "manual", signal: this.#abort.signal });
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /** The response as a whole. Rejects with a CallError: RESOURCE_EXHAUSTED for one of more than `maxBytes`. */
  async whole(response: Response, maxBytes: number): Promise<HttpResponse> {
    const head = headOf(response);
    try {
      if (Number(head.headers["content-length"] ?? 0) > maxBytes) throw responseTooLarge(maxBytes);
      const pieces: Buffer[] = [];
      let bytes = 0;
      for await (const piece of piecesOf(response)) {
        bytes += piece.length;
        if (bytes > maxBytes) throw responseTooLarge(maxBytes);
        pieces.push(piece);
      }
      this.over();
      // Most bodies come in one piece, which then needs no copy.
      return { ...head, body: pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, bytes) };
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /** The response, read no faster than somebody asks for it. */
  stream(response: Response): HttpStream {
    const pieces = this.#read(response);
    const iterator: AsyncIterator<Buffer> = {
      next: () => pieces.next(),
      return: async () => {
        const over = await pieces.return(undefined);
        // A generator that never began does not notice its end.
        this.fail(callerCancelled());
        return over;
      },
    };
    return { ...headOf(response), body: { [Symbol.asyncIterator]: () => iterator } };
  }

  protected override over(): void {
    super.over();
    this.#over?.abort();
  }

  async *#read(response: Response): AsyncGenerator<Buffer> {
    try {
      yield* piecesOf(response);
      this.over();
      // undici takes a connection for the next request a turn of the event loop after this one: who streams again at once would open another,
      // whose windows are small.
      await turn();
      await turn();
    } catch (thrown) {
      throw this.#failed(thrown);
    } finally {
      // Whoever stops reading wants no more of it.
      this.fail(callerCancelled());
    }
  }

  /** Ends the exchange with what was thrown, unless something else has: the error of the call. */
  #failed(thrown: unknown): CallError {
    // fetch reports what went wrong as the cause of a TypeError.
    const { cause } = thrown as { readonly cause?: unknown };
    const why = cause instanceof Error ? cause : (thrown as Error);
    const isClosed = why instanceof errors.ClientClosedError || why instanceof errors.ClientDestroyedError;
    if (thrown instanceof CallError) this.fail(thrown);
    else this.fail(isClosed ? clientClosed({ cause: why }) : serverUnavailable(this.#origin, why));
    return this.failure as CallError;
  }
}
