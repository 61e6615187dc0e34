// The settings of the gRPC clients on node:http2 and on Connect's library.
import type { PlainSetting } from "../basics/stack.ts";
import { http2ClientSettings } from "../shared/http2/http2-settings.ts";

export const clientSettings = [
  ...http2ClientSettings,
  {
    name: "requestCompression",
    meaning: "compression of requests; answers are not compressed",
    default: "identity",
    values: ["identity", "deflate", "gzip"],
  },
] as const satisfies readonly PlainSetting[];
