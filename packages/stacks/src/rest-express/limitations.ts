// What REST cannot carry, or this implementation of it does not.
import type { Limitation } from "../stack.ts";

const notBuilt = "a JSON body is one value; streams as newline-delimited JSON are not built yet";

export const limitations = [
  {
    feature: "together",
    reason: "an HTTP request names one resource; there is no standard way to ask for several in one",
  },
  { feature: "serverStream", reason: notBuilt },
  { feature: "clientStream", reason: notBuilt },
  { feature: "bidiStream", reason: "HTTP/1.1 answers after the request: it cannot talk both ways at once" },
] as const satisfies readonly Limitation[];
