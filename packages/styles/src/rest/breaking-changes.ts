// How contract changes affect existing REST callers: paths, queries and JSON. The rules are Roundtrip's own, because both OpenAPI documents come
// from one generator (docs/decisions/0174-what-a-change-breaks-is-judged-for-each-style.md).
import { isReceived, type FieldChange, type ValueLocation } from "@roundtrip/contract/changes";
import type { BreakingChanges } from "../basics/breaking-changes.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../basics/judgement.ts";
import { inEveryStyle, judgeBy } from "../shared/breaking-changes/change-table.ts";
import { inJson } from "../shared/breaking-changes/judge-json-names.ts";

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

const judge = judgeBy({
  ...inEveryStyle,
  ...inJson,
  "operation-removed": breaks("404: its path is gone"),
  "operation-moved": safe("only its path matters, and a changed path is a change of its own"),
  "streaming-changed": breaks("one JSON object in the body became several, or several became one"),
  "side-effects-changed": safe("its binding decides the HTTP method"),
  "binding-added": safe("the earlier paths remain"),
  "binding-removed": breaks("404 or 405: the path is gone"),
  "binding-changed": breaks("the server reads other parts of body, path or query"),
  "field-removed": ({ field, locations }) =>
    isNamedIn(locations)
      ? breaks(`INVALID_ARGUMENT: unknown field ${field.jsonName}`)
      : mayBreak("calls succeed without it"),
  "field-renamed": ofRenamed,
  "field-cardinality-changed": ofCardinality,
});

export const breakingChanges: BreakingChanges = {
  notCarried: ["bidi_streaming"],
  usesBuf: false,
  findings: async () => [],
  judge,
  judgeFinding: ({ text }) => mayBreak(text),
};
