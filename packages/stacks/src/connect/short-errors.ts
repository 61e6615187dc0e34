// Cuts the messages of errors that Connect's library makes itself: they repeat names and values of JSON, and of the query of a GET, which may be megabytes.
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { maxErrorText, shortText } from "@roundtrip/contract";
import { Readable } from "node:stream";
import { endStreamFlag, enveloped } from "@roundtrip/styles/connect/server";

/** No shorter answer has a message that is too long. */
const shortBytes = maxErrorText;

const okStatus = 200;
const prefixBytes = 5;
/** Of the last envelope of an answer over gRPC-Web. */
const webTrailersFlag = 0x80;

interface LibraryError {
  message?: string;
}

/** An error, or the end of a stream with one. */
function shortJson(bytes: Uint8Array): Uint8Array {
  const json = JSON.parse(Buffer.from(bytes).toString()) as LibraryError & { readonly error?: LibraryError };
  const error = json.error ?? json;
  if (error.message !== undefined) error.message = shortText(error.message);
  return Buffer.from(JSON.stringify(json));
}

function shortEncoded(message: string): string {
  return encodeURIComponent(shortText(decodeURIComponent(message)));
}

/** Trailers as gRPC-Web has them, in which messages are percent-encoded. */
function shortTrailers(bytes: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(bytes)
      .toString()
      .replace(/(?<=^grpc-message: ).*$/m, shortEncoded),
  );
}

async function* shortEnds(envelopes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const envelope of envelopes) {
    const [flags = 0] = envelope;
    const data = envelope.subarray(prefixBytes);
    if (data.length <= shortBytes) yield envelope;
    else if (flags === endStreamFlag) yield enveloped(shortJson(data), flags);
    else if (flags === webTrailersFlag) yield enveloped(shortTrailers(data), flags);
    else yield envelope;
  }
}

/** The same answer to a request in JSON, or of an error, with a message of a bounded length. */
export async function withShortMessage(answer: UniversalServerResponse): Promise<UniversalServerResponse> {
  const { status, body } = answer;
  const header = answer.header ?? new Headers();
  if (body === undefined) return answer;
  if (/^application\/(?:connect|grpc-web)\+/.test(header.get("content-type") ?? "")) {
    return { ...answer, body: shortEnds(body) };
  }
  if (status === okStatus || Number(header.get("content-length")) <= shortBytes) return answer;
  const short = shortJson(Buffer.concat(await Array.fromAsync(body)));
  header.set("content-length", String(short.length));
  return { ...answer, header, body: Readable.from([short]) };
}
