// gRPC-Web as text: the usual messages in base64, as the clients of grpc-web send them, whose browsers read text while it arrives.
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { IncomingHttpHeaders } from "node:http";

const textType = /^application\/grpc-web-text(?=[+;]|$)/i;

/** Whether the body of a request is text. Its content type becomes that of the bytes in it. */
export function takeTextType(headers: IncomingHttpHeaders): boolean {
  if (!textType.test(headers["content-type"] ?? "")) return false;
  headers["content-type"] = "application/grpc-web+proto";
  return true;
}

/** The bytes of base64, whose padding may be anywhere. */
function bytesOf(text: string): Uint8Array {
  return Buffer.concat((text.match(/[^=]+={0,2}/g) ?? []).map((part) => Buffer.from(part, "base64")));
}

export async function* bytesOfText(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + Buffer.from(piece).toString("latin1");
    rest = text.slice(text.length - (text.length % 4));
    yield bytesOf(text.slice(0, text.length - rest.length));
  }
  if (rest !== "") yield bytesOf(rest);
}

async function* textOf(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const bytes of body) yield Buffer.from(Buffer.from(bytes).toString("base64"));
}

/** The same answer as text. */
export function asText(answer: UniversalServerResponse): UniversalServerResponse {
  const { body } = answer;
  const header = new Headers(answer.header);
  header.set("content-type", "application/grpc-web-text+proto");
  header.delete("content-length");
  return body === undefined ? answer : { ...answer, header, body: textOf(body) };
}
