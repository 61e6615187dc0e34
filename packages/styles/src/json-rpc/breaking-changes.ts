// How contract changes affect existing JSON-RPC callers: names of methods, and JSON. The rules are Roundtrip's own, because both OpenRPC documents come
// from one generator (docs/decisions/0174-what-a-change-breaks-is-judged-for-each-style.md).
import { isReceived, isSent, type FieldChange, type ValueLocation } from "@roundtrip/contract/changes";
import type { BreakingChanges } from "../basics/breaking-changes.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../basics/judgement.ts";
import { inEveryStyle, judgeBy, withoutBindings } from "../shared/breaking-changes/change-table.ts";
import { inJson } from "../shared/breaking-changes/judge-json-names.ts";
import { isSameJson, judgeJsonType } from "../shared/breaking-changes/judge-json-type.ts";

/** All of a request is in its params, wherever REST has it. */
function inParams(locations: ReadonlySet<ValueLocation>): ReadonlySet<ValueLocation> {
  return new Set([...locations].map((location) => (location.endsWith("answer") ? location : "body")));
}

function ofRenamed({ before, after, locations }: FieldChange): Judgement {
  if (before.jsonName === after.jsonName) return safe("it keeps its JSON name");
  if (before.jsonName === after.name && !isReceived(locations))
    return safe("servers also read the name in the contract");
  const found = [
    ...(isSent(locations) ? [breaks(`INVALID_ARGUMENT: unknown parameter or field ${before.jsonName}`)] : []),
    ...(isReceived(locations) ? [breaks(`results no longer have ${before.jsonName}`)] : []),
  ];
  return gravest(found, safe("no caller sends or receives it"));
}

const judge = judgeBy({
  ...inEveryStyle,
  ...inJson,
  ...withoutBindings("JSON-RPC does not use HTTP bindings"),
  "operation-removed": breaks("-32601: its method is gone"),
  "operation-moved": breaks("-32601: the name of its method has package and service"),
  "streaming-changed": breaks("JSON-RPC does not carry streams"),
  "side-effects-changed": safe("every call is a POST"),
  "field-removed": ({ field, locations }) =>
    isSent(locations)
      ? breaks(`INVALID_ARGUMENT: unknown parameter or field ${field.jsonName}`)
      : mayBreak("calls succeed without it"),
  "field-renamed": ofRenamed,
  "field-type-changed": (change) => judgeJsonType({ ...change, locations: inParams(change.locations) }),
  "field-cardinality-changed": ({ before, after }) =>
    isSameJson(before, after) || isSameJson(after, before)
      ? safe("the JSON is the same")
      : breaks("in JSON, several values are an array and one value is not"),
});

export const breakingChanges: BreakingChanges = {
  notCarried: ["server_streaming", "client_streaming", "bidi_streaming"],
  usesBuf: false,
  findings: async () => [],
  judge,
  judgeFinding: ({ text }) => mayBreak(text),
};
