// What a change does to REST callers that run already: paths, queries and the JSON of bodies, by rules of our own, since the documents of both
// contracts are made by the same rules (docs/decisions/0174-what-a-change-breaks-is-judged-for-each-style.md).
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { isReceived, isSent, type Change, type FieldChange, type Place } from "../change.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../judgement.ts";
import { isUnknownChoice, unknownChoice } from "./choice.ts";
import { judgeJsonType } from "./json-type.ts";
import { judgePresence } from "./presence.ts";
import { judgeRules } from "./rules.ts";

/** Where a name is written down. */
function isNamedIn(places: ReadonlySet<Place>): boolean {
  return places.has("query") || places.has("body");
}

function ofRenamed({ before, after, places }: FieldChange): Judgement {
  if (before.jsonName === after.jsonName) return safe("JSON has the same name for it");
  const found = [
    ...(isNamedIn(places) ? [breaks(`INVALID_ARGUMENT: there is no ${before.jsonName}`)] : []),
    ...(isReceived(places) ? [breaks(`callers find no ${before.jsonName} in the answer`)] : []),
  ];
  return gravest(found, safe("a path has its value, not its name"));
}

function ofCardinality({ before, after, places }: FieldChange): Judgement {
  const isMore = before.fieldKind !== "list" && before.fieldKind !== "map" && after.fieldKind === "list";
  const onlyQuery = [...places].every((place) => place === "query");
  return isMore && onlyQuery
    ? safe("one value in a query is a list of one")
    : breaks("JSON has an array for many values, and none for one");
}

function ofOneof({ after, places }: FieldChange): Judgement {
  const isAlone = after.oneof === undefined || after.oneof.fields.length === 1;
  if (isAlone || !isSent(places)) return safe("a oneof has no name in JSON");
  return mayBreak("INVALID_ARGUMENT when a request has several members of the oneof");
}

function ofPresence(change: FieldChange): Judgement {
  const isRequired = change.after.presence === Presence.LEGACY_REQUIRED;
  return isRequired && isSent(change.places) ? breaks("INVALID_ARGUMENT: it must be given now") : judgePresence(change);
}

function ofField(change: FieldChange): Judgement {
  switch (change.kind) {
    case "field-renamed":
      return ofRenamed(change);
    case "field-renumbered":
      return safe("JSON has names, not numbers");
    case "field-type-changed":
      return judgeJsonType(change);
    case "field-cardinality-changed":
      return ofCardinality(change);
    case "field-presence-changed":
      return ofPresence(change);
    case "field-oneof-changed":
      return ofOneof(change);
    case "field-default-changed":
      return mayBreak("an absent value means another one to each side");
    case "field-rules-changed":
      return judgeRules(change);
  }
}

/** Judges a change. */
export function judgeRest(change: Change): Judgement {
  switch (change.kind) {
    case "operation-added":
      return safe("nobody calls it yet");
    case "operation-removed":
      return breaks("404: there is nothing at its path");
    case "operation-moved":
      return safe("its path tells where it is; where that changed too, it is a change of its own");
    case "streaming-changed":
      return breaks("a body of one JSON object became one of many, or the other way round");
    case "side-effects-changed":
      return safe("the HTTP method is that of its binding");
    case "binding-added":
      return safe("the paths from before are still there");
    case "binding-removed":
      return breaks("404 or 405: there is nothing at the path any more");
    case "binding-changed":
      return breaks("what went into body, path or query is looked for elsewhere");
    case "type-moved":
      return safe("JSON has no names of types, except in google.protobuf.Any");
    case "message-rules-changed":
      return judgeRules(change);
    case "field-added":
      return isUnknownChoice(change) ? mayBreak(unknownChoice) : judgeRules(change);
    case "field-removed":
      return isNamedIn(change.places)
        ? breaks(`INVALID_ARGUMENT: there is no ${change.field.jsonName}`)
        : mayBreak("calls go on without it");
    case "enum-value-added":
      return isReceived(change.places)
        ? mayBreak("callers receive a name that they do not know")
        : safe("nobody sends it yet");
    case "enum-value-removed":
      return isSent(change.places)
        ? breaks("INVALID_ARGUMENT: there is no such name")
        : safe("nobody sends it any more");
    case "enum-value-renamed":
      return breaks(
        isSent(change.places)
          ? "INVALID_ARGUMENT: there is no such name any more"
          : "callers receive a name that they do not know",
      );
    case "enum-value-renumbered":
      return safe("JSON has names, not numbers");
    default:
      return ofField(change);
  }
}
