// Requests that GraphQL refuses before they reach an operation.
import { isObject, jsonIn } from "@roundtrip/contract";
import type { Refusals } from "../basics/style.ts";
import { callErrorOf } from "./errors.ts";

export const refusals: Refusals = {
  errorIn({ status, body }) {
    // Pages and schemas are long.
    const json = body.startsWith("{") && body.includes('"errors"') ? jsonIn(body) : undefined;
    const errors: unknown = isObject(json) ? json["errors"] : undefined;
    const error: unknown = Array.isArray(errors) ? errors[0] : undefined;
    return isObject(error) ? callErrorOf(error, status) : undefined;
  },
  nearest: () => undefined,
};
