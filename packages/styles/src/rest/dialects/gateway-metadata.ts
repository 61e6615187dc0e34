// Metadata and deadlines as grpc-gateway has them: headers `Grpc-Metadata-NAME` and `Grpc-Timeout`.
import { ServerCall } from "@roundtrip/contract";
import { HeaderMap } from "../../shared/header-map.ts";
import { deadlineHeader, deadlineOf } from "../../shared/http/http-deadline.ts";
import type { AnswerHeaders } from "../../shared/http/http-answer.ts";
import type { ReceivedRequest } from "../../shared/http/http-service.ts";
import { metadataHeaders } from "../../shared/http/text-answer.ts";
import { timeoutMsIn } from "../../shared/timeout-text.ts";

const prefix = "grpc-metadata-";

/** The headers, and those with the prefix also by the names of their metadata. */
export function withGatewayMetadata<T>(headers: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const prefixed = Object.entries(headers).filter(([name]) => name.startsWith(prefix));
  if (prefixed.length === 0) return headers;
  return { ...headers, ...Object.fromEntries(prefixed.map(([name, value]) => [name.slice(prefix.length), value])) };
}

/** Begins a call. Ignores a malformed `Grpc-Timeout`, as the gateway's callers may send any. Throws INVALID_ARGUMENT for an invalid deadline. */
export function gatewayCall(request: ReceivedRequest): ServerCall {
  const { "grpc-timeout": timeout, [deadlineHeader]: deadline } = request.headers;
  const timeoutMs = typeof timeout === "string" ? timeoutMsIn(timeout) : undefined;
  const headers = new HeaderMap(request, ({ headersDistinct }) => withGatewayMetadata(headersDistinct));
  return new ServerCall(timeoutMs ?? deadlineOf(deadline), headers);
}

/** The metadata of an answer as headers; undefined without metadata. Throws INTERNAL for invalid metadata. */
export function gatewayHeaders(call: ServerCall): AnswerHeaders | undefined {
  const metadata = metadataHeaders(call);
  if (metadata === undefined) return undefined;
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [prefix + name, value]));
}
