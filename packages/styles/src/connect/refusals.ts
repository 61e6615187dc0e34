// Requests that Connect, and gRPC-Web at the same address, refuse before they reach an operation.
import { CallError, codeFromGrpc } from "@roundtrip/contract";
import type { Refusals } from "../basics/refusals.ts";
import { nearestAddress, pathOfTarget } from "../shared/refusals/nearest-address.ts";
import { errorFromJson, errorOf } from "./errors.ts";
import { pathOf } from "./wire.ts";

/** The error at the end of a stream, whose envelopes surround its JSON. */
const streamError = /\{"error":(\{.*\})/s;

function errorInStream(answer: string): CallError | undefined {
  const [, text] = streamError.exec(answer) ?? [];
  if (text === undefined) return undefined;
  // What follows the error in its JSON is metadata.
  for (let end = text.length; end > 0; end = text.lastIndexOf("}", end - 2) + 1) {
    try {
      return errorFromJson(JSON.parse(text.slice(0, end)));
    } catch {
      // Not yet the end of the error.
    }
  }
  return undefined;
}

/** gRPC-Web ends a stream with a body of trailers. */
function errorInWebTrailers(answer: string): CallError | undefined {
  const [, status] = /grpc-status: ?(\d+)/.exec(answer) ?? [];
  if (status === undefined || status === "0") return undefined;
  const [, message = ""] = /grpc-message: ?([^\r\n]*)/.exec(answer) ?? [];
  return new CallError(codeFromGrpc(Number(status)), message);
}

export const refusals: Refusals = {
  errorIn({ status, answer }) {
    if (status < 400) return errorInStream(answer) ?? errorInWebTrailers(answer);
    if (answer !== "") return errorOf({ status, body: Buffer.from(answer) });
    const message = status === 404 ? "there is no such method" : `HTTP ${status}`;
    return new CallError(errorOf({ status, body: Buffer.of() }).code, message);
  },
  nearest: ({ target }, contract) => nearestAddress(pathOfTarget(target), contract, pathOf),
};
