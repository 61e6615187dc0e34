// Features that Connect, or this implementation, does not support.
import type { Limitation } from "../basics/style.ts";

export const limitations = [
  { feature: "together", reason: "a Connect call carries one method; calls in parallel share connections instead" },
  {
    feature: "bidiStream",
    reason: "Connect needs HTTP/2 for this; the default here is HTTP/1.1",
  },
] as const satisfies readonly Limitation[];
