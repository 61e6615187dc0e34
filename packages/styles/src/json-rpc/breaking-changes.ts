// How contract changes affect existing JSON-RPC callers: names of methods, and JSON. The rules are Roundtrip's own, because both OpenRPC documents come
// from one generator (docs/decisions/0174-what-a-change-breaks-is-judged-for-each-style.md).
import { isReceived, isSent, type Change, type FieldChange, type ValueLocation } from "@roundtrip/contract/changes";
import type { BreakingChanges } from "../basics/breaking-changes.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../basics/judgement.ts";
import { judgeJsonEnumValue, judgeJsonField } from "../shared/breaking-changes/judge-json-names.ts";
import { judgeAddedField, judgeRules } from "../shared/breaking-changes/judge-rules.ts";

/** All of a request is in its params, wherever REST has it. */
function inParams(locations: ReadonlySet<ValueLocation>): ReadonlySet<ValueLocation> {
  return new Set([...locations].map((location) => (location === "answer" ? location : "body")));
}

function ofRenamed({ before, after, locations }: FieldChange): Judgement {
  if (before.jsonName === after.jsonName) return safe("it keeps its JSON name");
  const found = [
    ...(isSent(locations) ? [breaks(`INVALID_ARGUMENT: unknown parameter or field ${before.jsonName}`)] : []),
    ...(isReceived(locations) ? [breaks(`results no longer have ${before.jsonName}`)] : []),
  ];
  return gravest(found, safe("no caller sends or receives it"));
}

const ofCardinality = (): Judgement => breaks("in JSON, several values are an array and one value is not");

function judge(change: Change): Judgement {
  switch (change.kind) {
    case "operation-added":
      return safe("nobody calls it yet");
    case "operation-removed":
      return breaks("-32601: its method is gone");
    case "operation-moved":
      return breaks("-32601: the name of its method has package and service");
    case "streaming-changed":
      return breaks("JSON-RPC does not carry streams");
    case "side-effects-changed":
      return safe("every call is a POST");
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
      return safe("JSON-RPC does not use HTTP bindings");
    case "type-moved":
      return safe("JSON has no type names, except in google.protobuf.Any");
    case "message-rules-changed":
      return judgeRules(change);
    case "field-added":
      return judgeAddedField(change);
    case "field-removed":
      return isSent(change.locations)
        ? breaks(`INVALID_ARGUMENT: unknown parameter or field ${change.field.jsonName}`)
        : mayBreak("calls succeed without it");
    case "enum-value-added":
    case "enum-value-removed":
    case "enum-value-renamed":
    case "enum-value-renumbered":
      return judgeJsonEnumValue(change);
    default:
      return judgeJsonField(
        { ...change, locations: inParams(change.locations) },
        { renamed: ofRenamed, cardinality: ofCardinality },
      );
  }
}

export const breakingChanges: BreakingChanges = {
  notCarried: ["server_streaming", "client_streaming", "bidi_streaming"],
  usesBuf: false,
  findings: async () => [],
  judge,
  judgeFinding: ({ text }) => mayBreak(text),
};
