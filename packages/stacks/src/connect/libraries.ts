// The server and clients of Connect: what each needs and cannot do. Importing this loads none of them.
import type { ClientBinding, PlainSetting, ServerBinding } from "../basics/stack.ts";
import { connectNodeDeviations, httpServerSettings, undiciBinding, undiciSettings } from "../shared/settings.ts";
import { http2OnlyServerSettings, http2Settings } from "../shared/http2/http2-settings.ts";

const httpVersion = {
  name: "http",
  meaning: "version of HTTP; calls over 2 share connections",
  default: "1.1",
  values: ["1.1", "2"],
} as const satisfies PlainSetting;

/** How every client writes its calls. */
const callSettings = [
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

const answerCompression = {
  name: "responseCompression",
  meaning: "compression of answers of 1 KiB or more to clients that accept it",
  default: "identity",
  values: ["identity", "deflate", "gzip", "br", "zstd"],
} as const satisfies PlainSetting;

export const serverSettings = [
  ...httpServerSettings,
  ...http2OnlyServerSettings,
  httpVersion,
  answerCompression,
] as const satisfies readonly PlainSetting[];

export const connectNodeSettings = [
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
    meaning: "compression of requests",
    default: "identity",
    values: ["identity", "deflate", "gzip", "br", "zstd"],
  },
] as const satisfies readonly PlainSetting[];

export const fetchSettings = [
  ...undiciSettings,
  ...callSettings,
  // fetch speaks HTTP/2 only if a TLS handshake has chosen it.
  { ...httpVersion, values: ["1.1"] },
  // It accepts these of itself.
  { ...answerCompression, values: ["identity", "deflate", "gzip"] },
] as const satisfies readonly PlainSetting[];

export const servers: Readonly<Record<string, ServerBinding>> = {
  "connect-node": {
    libraries: ["@connectrpc/connect", "@connectrpc/connect-node"],
    limitations: [],
    deviations: connectNodeDeviations,
    settings: serverSettings,
  },
};

export const clients: Readonly<Record<string, ClientBinding>> = {
  // Over HTTP/1.1 on connections that undici opens, or over HTTP/2.
  "connect-node": {
    ...undiciBinding,
    libraries: ["@connectrpc/connect", "@connectrpc/connect-node", ...undiciBinding.libraries],
    settings: connectNodeSettings,
  },
  // The fetch of Node.js, with calls written from the specification, over connections of undici.
  fetch: {
    ...undiciBinding,
    limitations: [
      { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
    ],
    settings: fetchSettings,
  },
};
