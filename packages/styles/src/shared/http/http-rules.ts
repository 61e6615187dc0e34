// The forms that HTTP gives the rules, in every style whose calls are single HTTP requests.
import type { ServerLimit } from "../../basics/rules.ts";

export const httpLimitForms = {
  Metadata: "checked before it is sent; above 64 KB from other clients: 431",
  Rules: "before the handler",
  Nesting: "when decoded",
  Text: "both ends",
};

export const headerForms = {
  "Of a request": "the headers of the request",
  "Of an answer": "the headers of the answer",
  Names: "HTTP ignores case",
  Duplicates: "joined as HTTP defines",
  Values: "unchanged",
  Bytes: "base64",
  "Reserved names": "neither sent nor shown",
};

const notCarried = "not supported: declared, with the reason";

/** Of a style that carries no streams. */
export const noStreams = {
  "Of answers": notCarried,
  "Of bytes": notCarried,
  "Of requests": notCarried,
  "Both directions": notCarried,
  End: "–",
};

export const httpServerLimits: Readonly<Record<ServerLimit, string>> = {
  connections: "the connection is closed",
  handshake: "the connection is closed",
  headers: "408, DEADLINE_EXCEEDED",
  wholeRequest: "408, DEADLINE_EXCEEDED",
  nextRequest: "–",
  idleConnection: "the connection is closed",
  callsAtOnce: "they wait; if more wait, the connection is closed",
  unreadAnswer: "the connection is closed",
  unreadBytes: "–",
  messageSize: "413, RESOURCE_EXHAUSTED",
  matrixQueue: "RESOURCE_EXHAUSTED",
};
