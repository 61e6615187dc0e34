// How contract changes affect existing JSON-RPC callers: names of methods, and JSON. The rules are Roundtrip's own, because both OpenRPC documents come
// from one generator (docs/decisions/0174-what-a-change-breaks-is-judged-for-each-style.md).
import { type BreakingChanges, breaks, safe } from "../judgement.ts";
import { judgeBy, withoutBindings } from "../shared/change-table.ts";
import { inJsonBody } from "../shared/json-messages.ts";

const judge = judgeBy({
  ...inJsonBody,
  ...withoutBindings("JSON-RPC does not use HTTP bindings"),
  "operation-removed": breaks("-32601: its method is gone"),
  "operation-moved": breaks("-32601: the name of its method has package and service"),
  "streaming-changed": breaks("JSON-RPC does not carry streams"),
  "side-effects-changed": safe("every call is a POST"),
});

export const breakingChanges: BreakingChanges = {
  notCarried: ["server_streaming", "client_streaming", "bidi_streaming"],
  judge,
  leftOver: () => [],
};
