// How contract changes affect existing REST callers: paths, queries and JSON. The rules are Roundtrip's own, because both OpenAPI documents come
// from one generator (docs/decisions/0174-what-a-change-breaks-is-judged-for-each-style.md).
import { isReceived, type Change, type FieldChange, type ValueLocation } from "@roundtrip/contract/changes";
import type { BreakingChanges } from "../basics/breaking-changes.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../basics/judgement.ts";
import { judgeJsonEnumValue, judgeJsonField } from "../shared/breaking-changes/judge-json-names.ts";
import { judgeAddedField, judgeRules } from "../shared/breaking-changes/judge-rules.ts";

function isNamedIn(locations: ReadonlySet<ValueLocation>): boolean {
  return locations.has("query") || locations.has("body");
}

function ofRenamed({ before, after, locations }: FieldChange): Judgement {
  if (before.jsonName === after.jsonName) return safe("it keeps its JSON name");
  const found = [
    ...(isNamedIn(locations) ? [breaks(`INVALID_ARGUMENT: unknown field ${before.jsonName}`)] : []),
    ...(isReceived(locations) ? [breaks(`answers no longer have ${before.jsonName}`)] : []),
  ];
  return gravest(found, safe("a path has its value, not its name"));
}

function ofCardinality({ before, after, locations }: FieldChange): Judgement {
  const isMore = before.fieldKind !== "list" && before.fieldKind !== "map" && after.fieldKind === "list";
  const onlyQuery = [...locations].every((location) => location === "query");
  return isMore && onlyQuery
    ? safe("one value in a query is a list of one")
    : breaks("in JSON, several values are an array and one value is not");
}

function judge(change: Change): Judgement {
  switch (change.kind) {
    case "operation-added":
      return safe("nobody calls it yet");
    case "operation-removed":
      return breaks("404: its path is gone");
    case "operation-moved":
      return safe("only its path matters, and a changed path is a change of its own");
    case "streaming-changed":
      return breaks("one JSON object in the body became several, or several became one");
    case "side-effects-changed":
      return safe("its binding decides the HTTP method");
    case "binding-added":
      return safe("the earlier paths remain");
    case "binding-removed":
      return breaks("404 or 405: the path is gone");
    case "binding-changed":
      return breaks("the server reads other parts of body, path or query");
    case "type-moved":
      return safe("JSON has no type names, except in google.protobuf.Any");
    case "message-rules-changed":
      return judgeRules(change);
    case "field-added":
      return judgeAddedField(change);
    case "field-removed":
      return isNamedIn(change.locations)
        ? breaks(`INVALID_ARGUMENT: unknown field ${change.field.jsonName}`)
        : mayBreak("calls succeed without it");
    case "enum-value-added":
    case "enum-value-removed":
    case "enum-value-renamed":
    case "enum-value-renumbered":
      return judgeJsonEnumValue(change);
    default:
      return judgeJsonField(change, { renamed: ofRenamed, cardinality: ofCardinality });
  }
}

export const breakingChanges: BreakingChanges = {
  notCarried: ["bidi_streaming"],
  usesBuf: false,
  findings: async () => [],
  judge,
  judgeFinding: ({ text }) => mayBreak(text),
};
