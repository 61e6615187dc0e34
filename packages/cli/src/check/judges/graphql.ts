// What a change does to GraphQL callers that run already: what graphql-js finds in the two schemas, and what a schema does not say.
import type { DescField } from "@bufbuild/protobuf";
import { isReceived, isSent, type Change } from "../change.ts";
import { valueTypeOf } from "../changes/value-type.ts";
import { breaks, mayBreak, safe, type Judgement } from "../judgement.ts";
import type { Finding } from "../tools/finding.ts";
import { isBreaking } from "../tools/graphql-breaking.ts";
import { judgeJsonType } from "./json-type.ts";
import { judgePresence } from "./presence.ts";
import { judgeRules } from "./rules.ts";

/** What the schema looks like is all that matters, for changes without a finding. */
function unfound(change: Change): Judgement {
  switch (change.kind) {
    case "field-rules-changed":
    case "message-rules-changed":
    case "field-added":
      return judgeRules(change);
    case "field-type-changed":
      // Of one type in the schema, and so of one form in JSON: what is left are values.
      return judgeJsonType(change);
    case "field-presence-changed":
      return judgePresence(change);
    case "field-default-changed":
      return mayBreak("an absent value means another one to each side");
    case "field-renumbered":
    case "enum-value-renumbered":
      return safe("the schema has names, not numbers");
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
      return safe("HTTP bindings are not for GraphQL");
    case "operation-moved":
      return safe("its field has the same name and type");
    case "enum-value-added":
      return safe(isReceived(change.places) ? "null is its name, as for what is absent" : "nobody sends it yet");
    case "operation-added":
      return safe("nobody asks for it yet");
    case "streaming-changed":
    case "operation-removed":
      return safe("GraphQL did not carry it");
    case "field-removed":
      return safe("the schema did not have it");
    default:
      return safe("the schema is the same");
  }
}

/**
 * True for a member of an input that takes what was sent before: a list takes one value, and a number another. Documents whose variables are
 * whole inputs go on; those with a variable for the member do not.
 */
function isOfOwnKind(change: Change): boolean {
  if (change.kind !== "field-type-changed" && change.kind !== "field-cardinality-changed") return false;
  const { before, after, places } = change;
  if (isReceived(places)) return false;
  if (change.kind === "field-cardinality-changed") return before.fieldKind === "scalar" && after.fieldKind === "list";
  return isNumber(before) && isNumber(after) && judgeJsonType(change).verdict !== "breaks";
}

/** True for a scalar of an answer whose JSON is as it was: documents do not write the types of what they select. */
function isReadAlike(change: Change): boolean {
  if (change.kind !== "field-type-changed" || isSent(change.places)) return false;
  const areScalars = [change.before, change.after].every(
    ({ scalar, fieldKind }) => scalar !== undefined && fieldKind !== "map",
  );
  return areScalars && judgeJsonType(change).verdict !== "breaks";
}

function isNumber(field: DescField): boolean {
  return field.fieldKind !== "map" && ["integer", "integer text", "number"].includes(valueTypeOf(field).json);
}

/** graphql-js knows neither which way an enum travels nor who writes the names of a type down. */
function weighed(change: Change, { rule, text }: Finding): Judgement {
  if (rule === "VALUE_REMOVED_FROM_ENUM" && "places" in change && !isSent(change.places)) {
    return change.kind === "enum-value-removed"
      ? safe("callers only receive it, and do not any more")
      : breaks(`callers receive a name that they do not know: ${text}`);
  }
  if (rule === "VALUE_ADDED_TO_ENUM" && "places" in change && !isReceived(change.places))
    return safe("nobody sends it yet");
  if (rule === "FIELD_CHANGED_KIND" && isOfOwnKind(change))
    return mayBreak(`documents with a variable of the field's type: ${text}`);
  if (rule === "FIELD_CHANGED_KIND" && isReadAlike(change))
    return mayBreak(`callers that hold it by the schema's type: ${text}`);
  if (change.kind === "type-moved" && !isSent(change.places)) {
    return mayBreak(`documents that write the type's name, in a fragment: ${text}`);
  }
  return { verdict: "breaks", reason: text };
}

/** Judges a change, with graphql-js's findings that belong to it. */
export function judgeGraphql(change: Change, found: readonly Finding[]): Judgement {
  // A field that came is a value of an enum that masks are made of: those are only sent.
  const findings = found.filter(({ rule }) => rule !== "VALUE_ADDED_TO_ENUM" || change.kind.startsWith("enum-"));
  const [first] = findings;
  if (first === undefined) return unfound(change);
  const breaking = findings.filter((finding) => isBreaking(finding));
  const [worst] = breaking;
  if (worst !== undefined) {
    const judged = breaking.map((finding) => weighed(change, finding));
    return (
      judged.find(({ verdict }) => verdict === "breaks") ??
      judged.find(({ verdict }) => verdict === "may break") ??
      weighed(change, worst)
    );
  }
  const weighedFirst = weighed(change, first);
  return weighedFirst.verdict === "safe" ? weighedFirst : mayBreak(first.text);
}
