// The version of HTTP that carries Connect.
import type { PlainSetting } from "../basics/stack.ts";

export const httpVersion = {
  name: "http",
  meaning: "version of HTTP; calls over 2 share connections",
  default: "1.1",
  values: ["1.1", "2"],
} as const satisfies PlainSetting;
