// Requests that JSON-RPC refuses before they reach an operation.
import { isObject, jsonIn } from "@roundtrip/contract";
import type { Refusals } from "../basics/style.ts";
import { callErrorOf } from "./errors.ts";

export const refusals: Refusals = {
  errorIn({ status, body }) {
    const json = body.includes('"error"') ? jsonIn(body) : undefined;
    // Of a batch, the first.
    const failed = [json].flat().find((response) => isObject(response) && response["error"] !== undefined);
    return isObject(failed) ? callErrorOf(failed["error"], status) : undefined;
  },
  nearest: () => undefined,
};
