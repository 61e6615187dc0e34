// Features that an echo of bytes cannot support.
import type { Limitation } from "../basics/style.ts";

const noStyle = "the floor echoes the bytes of calls with one request and one response";

export const limitations = [
  { feature: "together", reason: noStyle },
  { feature: "metadata", reason: "the floor carries messages only" },
  { feature: "serverStream", reason: noStyle },
  { feature: "clientStream", reason: noStyle },
  { feature: "bidiStream", reason: noStyle },
] as const satisfies readonly Limitation[];
