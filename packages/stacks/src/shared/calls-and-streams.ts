// One HTTP/1.1 client on two sets of connections: a limited number for calls, and one for each stream.
import { clientClosed, type CallError } from "@roundtrip/contract";
import { type ExchangeLimits, type HttpTransport, overBefore } from "@roundtrip/styles/http/client";

/** Like an {@link HttpTransport}, for calls of any kind. */
export interface CallTransport<Call extends ExchangeLimits, Answer> extends Pick<HttpTransport, "stream" | "close"> {
  send(call: Call): Promise<Answer>;
}

/** @param open opens at most so many connections; null for no limit. Its `close` waits for what is under way. */
export function callsAndStreams<Call extends ExchangeLimits, Answer>(
  connections: number,
  open: (most: number | null) => CallTransport<Call, Answer>,
): CallTransport<Call, Answer> {
  const calls = open(connections);
  let streams: CallTransport<Call, Answer> | undefined;
  let closed: Promise<unknown> | undefined;
  const refusalOf = (limits: ExchangeLimits): CallError | undefined =>
    closed === undefined ? overBefore(limits) : clientClosed();
  return {
    send(request) {
      const refusal = refusalOf(request);
      return refusal === undefined ? calls.send(request) : Promise.reject(refusal);
    },
    stream(request) {
      const refusal = refusalOf(request);
      return refusal === undefined ? (streams ??= open(null)).stream(request) : Promise.reject(refusal);
    },
    close: async () => {
      await (closed ??= Promise.all([calls.close(), streams?.close()]));
    },
  };
}
