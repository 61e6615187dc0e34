// Writes a stream of answers, no faster than the caller reads it. An error before the first message is an error like any other; one
// after it is told in the stream, because the status has been sent.
import type { Message } from "@bufbuild/protobuf";
import { CallError, ConnectionCut, type ServerCall } from "@roundtrip/contract";
import type { Response } from "express";
import { cutShort, hangUp } from "../../http/http-cut.ts";
import type { Route } from "../routing/routes.ts";
import { problemFor, setMetadata } from "../answers/send.ts";
import { eventsType, type StreamForm } from "./stream-form.ts";

/** What a stream of answers needs beside the messages. */
export interface StreamAnswer {
  readonly response: Response;
  readonly call: ServerCall;
  readonly route: Route;
  readonly form: StreamForm;
  /** Whether there shall be headers and nothing else (HEAD). */
  readonly headersOnly: boolean;
}

/** Resolves once more can be written, the caller is gone or the call has ended. */
function writable(response: Response, { signal }: ServerCall): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go).off("close", go);
      signal.removeEventListener("abort", go);
      resolve();
    };
    response.once("drain", go).once("close", go);
    signal.addEventListener("abort", go);
    if (response.destroyed || signal.aborted) go();
  });
}

/** Sends what has been written, and ends the connection without the body's end: a caller takes it for no shorter body. */
function breakOff(response: Response): void {
  if (response.socket === null) response.destroy();
  else response.socket.end();
}

/** The next message; of one that is to be cut, whatever is written from then on is cut. */
async function next(iterator: AsyncIterator<Message>, response: Response): Promise<IteratorResult<Message>> {
  try {
    return await iterator.next();
  } catch (thrown) {
    if (!(thrown instanceof ConnectionCut)) throw thrown;
    if (thrown.partOf === undefined) {
      hangUp(response);
      throw thrown;
    }
    cutShort(response);
    return { done: false, value: thrown.partOf };
  }
}

async function writeAll(
  { response, call, route, form }: StreamAnswer,
  first: IteratorResult<Message>,
  iterator: AsyncIterator<Message>,
): Promise<void> {
  let last = form.end;
  try {
    for (let result = first; result.done !== true; result = await next(iterator, response)) {
      const isTaken = response.write(form.message(result.value));
      if (!isTaken) await writable(response, call);
    }
  } catch (thrown) {
    const { error } = form;
    await iterator.return?.();
    if (error === undefined) {
      breakOff(response);
      return;
    }
    last = error(JSON.stringify(problemFor(route.fields.spelled(CallError.from(thrown)))));
  }
  if (!response.destroyed) response.end(last);
}

/** Resolves when the answer is written. Rejects when there was no first message but an error, and nothing has been written. */
export async function sendStream(answers: AsyncIterable<Message>, to: StreamAnswer): Promise<void> {
  const { response, call, form, headersOnly } = to;
  const iterator = answers[Symbol.asyncIterator]();
  const first = await next(iterator, response);
  if (response.destroyed) {
    await iterator.return?.();
    return;
  }
  setMetadata(response, call);
  // Whoever stands between shall neither keep events nor hold them back.
  if (form.type === eventsType) response.setHeader("cache-control", "no-store");
  response.writeHead(200, { "content-type": form.type });
  if (!headersOnly) {
    await writeAll(to, first, iterator);
    return;
  }
  response.end();
  await iterator.return?.();
}
