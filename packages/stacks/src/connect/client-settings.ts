// Settings of every Connect client: how it writes its calls.
import type { PlainSetting } from "../basics/stack.ts";

export const callSettings = [
  {
    name: "encoding",
    meaning: "encoding of messages: binary protobuf, or JSON, the default in browsers",
    default: "proto",
    values: ["proto", "json"],
  },
  {
    name: "get",
    meaning: "sends calls without side effects as GET, which caches may answer",
    default: false,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];
