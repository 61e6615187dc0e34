// GraphQL over server-sent events, in distinct connections mode: one request, one stream of results.
// https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverSSE.md
import type { ExecutionResult } from "graphql";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { eventStreamType } from "../http/media-types.ts";

/** A comment is sent after this many milliseconds without a result, so that proxies do not close the connection. */
const quietMs = 12_000;

/** Whether a request accepts its results as events. */
export function asksForEvents({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers.accept?.includes(eventStreamType) === true;
}

/** Writes results as events, no faster than the caller reads. The headers wait for the first result, which may set some. */
export async function writeEvents(
  response: ServerResponse,
  results: AsyncGenerator<ExecutionResult, void, undefined>,
  textOf: (result: ExecutionResult) => string,
): Promise<void> {
  const gone = new AbortController();
  let isOver = false;
  response.once("close", () => {
    gone.abort();
    // The call is cancelled already; this ends its generator.
    if (!isOver) results.return().catch(() => undefined);
  });
  response.setHeader("content-type", `${eventStreamType}; charset=utf-8`);
  const comment = setInterval(() => response.headersSent && response.write(":\n\n"), quietMs);
  try {
    for await (const result of results) {
      const isTaken = response.write(`event: next\ndata: ${textOf(result)}\n\n`);
      if (!isTaken && !gone.signal.aborted) await once(response, "drain", { signal: gone.signal });
    }
    isOver = true;
    response.end("event: complete\ndata:\n\n");
  } catch (thrown) {
    if (!gone.signal.aborted) throw thrown;
  } finally {
    clearInterval(comment);
  }
}
