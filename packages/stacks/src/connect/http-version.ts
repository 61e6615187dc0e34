// The version of HTTP that carries Connect.
import type { PlainSetting } from "../basics/stack.ts";

export const httpVersion = {
  name: "http",
  meaning: "the version of HTTP: 1.1 as browsers and most proxies, or 2, whose calls share connections",
  default: "1.1",
  values: ["1.1", "2"],
} as const satisfies PlainSetting;
