// Features that GraphQL cannot support with any library.
import type { Limitation } from "../basics/style.ts";

const onlyOne = "a GraphQL request is one document with its variables; no further message can follow it";

export const limitations = [
  { feature: "clientStream", reason: onlyOne },
  { feature: "bidiStream", reason: onlyOne },
] as const satisfies readonly Limitation[];
