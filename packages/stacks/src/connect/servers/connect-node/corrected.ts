// Corrects errors that Connect's library makes itself: INTERNAL for a request that it cannot parse is the request's fault, and the text of an answer
// that it cannot write stays on the server.
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { CallError } from "@roundtrip/contract";
import { endStreamFlag, enveloped, errorJson } from "@roundtrip/styles/connect/server";
import type { ConnectCall } from "./connect-call.ts";

const internal = "internal";

interface SentError {
  readonly code?: string;
  readonly message?: string;
}

function correction({ message = "" }: SentError, { isBegun }: ConnectCall): CallError {
  return isBegun ? new CallError("INTERNAL", "internal error") : new CallError("INVALID_ARGUMENT", message);
}

function parsed(bytes: Uint8Array): { readonly error?: SentError } & SentError {
  return JSON.parse(Buffer.from(bytes).toString()) as { readonly error?: SentError } & SentError;
}

/** The end of a stream, corrected; other envelopes as they are. */
function correctedEnvelope(bytes: Uint8Array, call: ConnectCall): Uint8Array {
  if (call.hasFailed || ((bytes[0] ?? 0) & endStreamFlag) === 0) return bytes;
  const end = parsed(bytes.subarray(5));
  if (end.error?.code !== internal) return bytes;
  return enveloped(
    Buffer.from(JSON.stringify({ ...end, error: errorJson(correction(end.error, call)) })),
    endStreamFlag,
  );
}

/** The library sends each envelope by itself. */
function correctedStream(body: AsyncIterable<Uint8Array>, call: ConnectCall): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          const result = await iterator.next();
          return result.done === true ? result : { done: false, value: correctedEnvelope(result.value, call) };
        },
        throw: async (error: unknown) => (await iterator.throw?.(error)) ?? { done: true, value: undefined },
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function firstOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const bytes of body) return bytes;
  return new Uint8Array();
}

/** The answer of the library, with its own errors corrected. */
export async function corrected(
  answered: UniversalServerResponse,
  call: ConnectCall,
): Promise<UniversalServerResponse> {
  const { status, header, body } = answered;
  if (body === undefined) return answered;
  const type = header?.get("content-type") ?? "";
  if (type.startsWith("application/connect+")) return { ...answered, body: correctedStream(body, call) };
  if (status !== 500 || call.hasFailed || !type.startsWith("application/json")) return answered;
  const error = correction(parsed(await firstOf(body)), call);
  const bytes = Buffer.from(JSON.stringify(errorJson(error)));
  const headers = new Headers(header);
  headers.set("content-length", String(bytes.length));
  return { status: call.isBegun ? status : 400, header: headers, body: only(bytes) };
}
