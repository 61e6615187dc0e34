// The settings of the node:http2 client.
import type { PlainSetting } from "../../../basics/stack.ts";
import { clientConnectionSettings } from "../../../shared/connection-settings.ts";
import { http2Settings } from "../../../shared/http2/http2-settings.ts";

export const clientSettings = [
  ...clientConnectionSettings,
  ...http2Settings,
  {
    name: "requestCompression",
    meaning: "how requests are compressed, each on its own; the server answers uncompressed",
    default: "identity",
    values: ["identity", "deflate", "gzip"],
  },
] as const satisfies readonly PlainSetting[];
