// Answers that something between client and server gave, such as a proxy. gRPC and Connect map them alike.
import type { CanonicalCode } from "@roundtrip/contract";

/** https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md, and "HTTP to Error Code" of https://connectrpc.com/docs/protocol */
const codes: Readonly<Record<number, CanonicalCode>> = {
  400: "INTERNAL",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "UNIMPLEMENTED",
  429: "UNAVAILABLE",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "UNAVAILABLE",
};

/** The code of an answer that is not of the protocol. @param httpStatus undefined without one */
export function codeOfForeignAnswer(httpStatus: number | undefined): CanonicalCode {
  return codes[httpStatus ?? 0] ?? "UNKNOWN";
}
