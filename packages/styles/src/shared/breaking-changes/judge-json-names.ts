// Judges changes of fields and enum values in JSON, which has names and no numbers.
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import {
  isReceived,
  isSent,
  type FieldChange,
  type ValueAddedOrRemoved,
  type ValueChange,
} from "@roundtrip/contract/changes";
import { breaks, mayBreak, safe, type Judgement } from "../../basics/judgement.ts";
import { judgeJsonType } from "./judge-json-type.ts";
import { judgePresence } from "./judge-presence.ts";
import { judgeRules } from "./judge-rules.ts";

const namesInJson = "JSON has names, not numbers";
const unknownName = "callers receive a name that they do not know";

function ofOneof({ after, locations }: FieldChange): Judgement {
  const isAlone = after.oneof === undefined || after.oneof.fields.length === 1;
  if (isAlone || !isSent(locations)) return safe("a oneof has no name in JSON");
  return mayBreak("INVALID_ARGUMENT if a request has several members of the oneof");
}

function ofPresence(change: FieldChange): Judgement {
  const isRequired = change.after.presence === Presence.LEGACY_REQUIRED;
  return isRequired && isSent(change.locations)
    ? breaks("INVALID_ARGUMENT: it is required now")
    : judgePresence(change);
}

/** Judges a changed field. What a new name or cardinality breaks depends on where the style has the field. */
export function judgeJsonField(
  change: FieldChange,
  ofStyle: Readonly<Record<"renamed" | "cardinality", (change: FieldChange) => Judgement>>,
): Judgement {
  switch (change.kind) {
    case "field-renamed":
      return ofStyle.renamed(change);
    case "field-renumbered":
      return safe(namesInJson);
    case "field-type-changed":
      return judgeJsonType(change);
    case "field-cardinality-changed":
      return ofStyle.cardinality(change);
    case "field-presence-changed":
      return ofPresence(change);
    case "field-oneof-changed":
      return ofOneof(change);
    case "field-default-changed":
      return mayBreak("an absent value means something else to each side");
    case "field-rules-changed":
      return judgeRules(change);
  }
}

export function judgeJsonEnumValue({ kind, locations }: ValueAddedOrRemoved | ValueChange): Judgement {
  switch (kind) {
    case "enum-value-added":
      return isReceived(locations) ? mayBreak(unknownName) : safe("nobody sends it yet");
    case "enum-value-removed":
      return isSent(locations) ? breaks("INVALID_ARGUMENT: unknown name") : safe("nobody sends it any more");
    case "enum-value-renamed":
      return breaks(isSent(locations) ? "INVALID_ARGUMENT: unknown name" : unknownName);
    case "enum-value-renumbered":
      return safe(namesInJson);
  }
}
