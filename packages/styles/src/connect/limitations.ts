// Features that Connect, or this implementation, does not support.
import type { Limitation } from "../basics/style.ts";

export const limitations = [
  { feature: "together", reason: "a Connect call carries one method; calls in parallel share connections instead" },
  {
    feature: "bidiStream",
    reason: "over HTTP/1.1, the default here, Connect has no talking both ways at once: it needs HTTP/2",
  },
] as const satisfies readonly Limitation[];
