// Requests that gRPC refuses before they reach an operation.
import { CallError } from "@roundtrip/contract";
import type { Refusals } from "../basics/refusals.ts";
import { nearestAddress, pathOfTarget } from "../shared/refusals/nearest-address.ts";
import { errorInTrailers, statusMissing, pathOf } from "./wire.ts";

const notGrpc: Readonly<Record<number, string>> = {
  405: "gRPC calls are POST requests",
  415: "the content type is not one of gRPC",
};

export const refusals: Refusals = {
  errorIn({ status, answerHeaders }) {
    if (answerHeaders["grpc-status"] !== undefined) return errorInTrailers(answerHeaders, status);
    if (status < 400) return undefined;
    return new CallError(statusMissing(status).code, notGrpc[status] ?? `HTTP ${status}`);
  },
  nearest: ({ target }, contract) => nearestAddress(pathOfTarget(target), contract, pathOf),
};
