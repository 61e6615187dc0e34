// Requests that JSON-RPC refuses before they reach an operation.
import { isObject, jsonIn } from "@roundtrip/contract";
import type { Refusals } from "../basics/refusals.ts";
import { nearestAddress } from "../shared/refusals/nearest-address.ts";
import { callErrorOf } from "./errors.ts";
import { methodName } from "./messages.ts";

function errorsIn(answer: string): readonly unknown[] {
  const json = jsonIn(answer);
  const responses: readonly unknown[] = Array.isArray(json) ? json : [json];
  return responses.flatMap((response) =>
    isObject(response) && isObject(response["error"]) ? [response["error"]] : [],
  );
}

/** In the body of a request, which may be cut or malformed. */
const methodIn = /"method"\s*:\s*"([^"\\]*)"/;

export const refusals: Refusals = {
  errorIn({ status, answer }) {
    const [error] = errorsIn(answer);
    return error === undefined && status < 400 ? undefined : callErrorOf(error, status);
  },
  nearest({ body }, contract) {
    const [, method] = methodIn.exec(body) ?? [];
    return method === undefined
      ? undefined
      : nearestAddress(method, contract, (operation) =>
          operation.kind === "unary" ? methodName(operation) : undefined,
        );
  },
};
