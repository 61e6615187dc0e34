// Features that SOAP does not support.
import type { Limitation } from "../basics/style.ts";

const oneForOne = "over HTTP, SOAP answers one envelope with one envelope, each a whole document";

export const limitations = [
  {
    feature: "together",
    reason:
      "a body of document/literal has one element, the call of one operation (WS-I Basic Profile 1.1, R2201); SOAP has no batches",
  },
  { feature: "serverStream", reason: oneForOne },
  { feature: "clientStream", reason: oneForOne },
  { feature: "bidiStream", reason: oneForOne },
] as const satisfies readonly Limitation[];
