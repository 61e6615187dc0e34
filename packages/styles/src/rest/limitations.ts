// Features that REST, or this implementation, does not support.
import type { Limitation } from "../basics/style.ts";

export const limitations = [
  {
    feature: "together",
    reason: "an HTTP request names one resource; there is no standard for several in one",
  },
  {
    feature: "bidiStream",
    reason: "over HTTP/1.1, browsers and fetch read an answer only after the request is sent",
  },
] as const satisfies readonly Limitation[];
