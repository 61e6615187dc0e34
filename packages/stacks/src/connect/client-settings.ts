// Settings of every Connect client: how it writes its calls.
import type { PlainSetting } from "../basics/stack.ts";

export const callSettings = [
  {
    name: "encoding",
    meaning: "how messages are written: protobuf's binary form, or its JSON, which browsers send by default",
    default: "proto",
    values: ["proto", "json"],
  },
  {
    name: "get",
    meaning: "whether calls without side effects are GET, which caches may answer; otherwise all are POST",
    default: false,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];
