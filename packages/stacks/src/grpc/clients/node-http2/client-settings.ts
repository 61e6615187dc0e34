// The settings of the node:http2 client.
import type { PlainSetting } from "../../../basics/stack.ts";
import { http2ClientSettings } from "../../../shared/http2/http2-settings.ts";

export const clientSettings = [
  ...http2ClientSettings,
  {
    name: "requestCompression",
    meaning: "how requests are compressed, each on its own; the server answers uncompressed",
    default: "identity",
    values: ["identity", "deflate", "gzip"],
  },
] as const satisfies readonly PlainSetting[];
