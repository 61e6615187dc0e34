// How gRPC expresses the rules that apply to every style.
import { canonicalCodes } from "@roundtrip/contract";
import type { StyleRules } from "../basics/rules.ts";

export const rules: StyleRules = {
  ending: { heading: "gRPC status", form: (code) => String(code === "OK" ? 0 : canonicalCodes[code].grpc) },
  forms: {
    Errors: {
      Code: "`grpc-status`",
      Message: "`grpc-message`",
      Details: "`grpc-status-details-bin`",
    },
    Values: {
      Numbers: "binary",
      Bytes: "binary",
      Times: "binary",
      Durations: "binary",
      "Any JSON": "binary",
      "Raw bodies": "a message",
      "Null and duplicates": "the last one counts, and unknown fields are kept",
      "Not expressible in JSON": "passed on unchecked",
    },
    Limits: {
      Request: "each message",
      Answer: "each message",
      Metadata: "checked before it is sent; above 64 KB from other clients, the server closes the connection",
      "Concurrent calls": "1,000 streams by default; further calls wait",
      Rules: "before the handler",
      Nesting: "when decoded",
      Text: "both ends",
    },
    Deadlines: {
      "On the wire": "`grpc-timeout`",
      "When it passes": "status 4",
      "When the caller leaves": "the stream is reset",
    },
    Metadata: {
      "Of a request": "the call's metadata",
      "Of an answer": "initial metadata; trailers of an error",
      Names: "unchanged",
      Duplicates: "joined when read",
      Values: "unchanged",
      Bytes: "bytes, which gRPC encodes itself",
      "Reserved names": "neither sent nor shown",
    },
    Authentication: {
      Token: "metadata, status 16",
      Permission: "status 7",
      "The contract itself": "reflection, behind the service's interceptors; health is open",
      "Request id": "metadata",
    },
    Streams: {
      "Of answers": "messages of one call",
      "Of bytes": "bytes in messages",
      "Of requests": "messages of one call",
      "Both directions": "messages of one call",
      End: "the stream is reset",
    },
  },
  limits: {
    connections: "the connection is closed",
    handshake: "the connection is closed",
    headers: "GOAWAY, the connection is closed",
    wholeRequest: "DEADLINE_EXCEEDED",
    nextRequest: "DEADLINE_EXCEEDED; no limit if both ends stream",
    idleConnection: "GOAWAY, the connection is closed",
    callsAtOnce: "they wait at the client",
    unreadAnswer: "the call is cancelled; the connection is closed unless another call is in progress on it",
    unreadBytes: "the connection is closed",
    messageSize: "RESOURCE_EXHAUSTED",
    matrixQueue: "RESOURCE_EXHAUSTED",
  },
  ownLimits: [],
};
