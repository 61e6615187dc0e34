// Features that JSON-RPC 2.0 cannot support with any library.
import type { Limitation } from "../basics/style.ts";

const oneResponse =
  "a JSON-RPC request has one response object, and the specification has no stream; over HTTP a server cannot send notifications";
const oneRequest = "a JSON-RPC request is one object; no further message can follow it";

export const limitations = [
  { feature: "serverStream", reason: oneResponse },
  { feature: "clientStream", reason: oneRequest },
  { feature: "bidiStream", reason: oneRequest },
] as const satisfies readonly Limitation[];
