// The settings of the Connect client on Connect's library.
import type { PlainSetting } from "../../../basics/stack.ts";
import { http2Settings } from "../../../shared/http2/http2-settings.ts";
import { undiciSettings } from "../../../shared/undici/undici-settings.ts";
import { callSettings } from "../../client-settings.ts";
import { httpVersion } from "../../http-version.ts";

export const clientSettings = [
  ...undiciSettings,
  ...http2Settings,
  httpVersion,
  ...callSettings,
  {
    name: "protocol",
    meaning: "protocol of the client; the server accepts both",
    default: "connect",
    values: ["connect", "grpc-web"],
  },
  {
    name: "requestCompression",
    meaning: "compression of requests; answers are not compressed",
    default: "identity",
    values: ["identity", "deflate", "gzip", "br"],
  },
] as const satisfies readonly PlainSetting[];
