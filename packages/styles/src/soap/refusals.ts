// Requests that SOAP refuses before they reach an operation.
import type { Refusals } from "../basics/refusals.ts";
import { nearestAddress } from "../shared/refusals/nearest-address.ts";
import { errorOf } from "./errors.ts";
import { requestElement } from "./schema/names.ts";

/** The first element in the body of an envelope, which may be cut or malformed. */
const elementIn = /<(?:[\w.-]+:)?Body\b[^>]*>\s*<(?:[\w.-]+:)?([\w.-]+)/;

export const refusals: Refusals = {
  errorIn: ({ status, answer }) => (status < 400 ? undefined : errorOf({ status, body: Buffer.from(answer) })),
  nearest({ body }, contract) {
    const [, element] = elementIn.exec(body) ?? [];
    return element === undefined
      ? undefined
      : nearestAddress(element, contract, (operation) =>
          operation.kind === "unary" ? requestElement(operation) : undefined,
        );
  },
};
