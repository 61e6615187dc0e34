// Requests that SOAP refuses before they reach an operation.
import type { Refusals } from "../basics/style.ts";
import { errorOf } from "./errors.ts";

export const refusals: Refusals = {
  errorIn: ({ status, body }) => (status < 400 ? undefined : errorOf({ status, body: Buffer.from(body) })),
  nearest: () => undefined,
};
