// What a change of validation rules does, on every style alike: requests are held to them in one place, whatever brought them.
import type { DescField } from "@bufbuild/protobuf";
import { mustBeGiven } from "@roundtrip/contract/field-rules";
import { isSent, type FieldAddedOrRemoved, type FieldChange, type MessageRulesChange } from "../change.ts";
import { hasMessageRules, tendency } from "../changes/rules.ts";
import { breaks, mayBreak, safe, type Judgement } from "../judgement.ts";

function ofField({ before, after }: FieldChange): Judgement {
  switch (tendency(before, after)) {
    case "required":
      return breaks("INVALID_ARGUMENT: it must be given now");
    case "tighter":
      return mayBreak("INVALID_ARGUMENT for values that were accepted");
    case "other":
      return mayBreak("values may be refused that were accepted");
    case "looser":
      return safe("nothing is refused that was accepted");
  }
}

function ofAdded(field: DescField): Judgement {
  return mustBeGiven(field)
    ? breaks("INVALID_ARGUMENT: it must be given, and callers from before do not")
    : safe("callers from before leave it out");
}

/** Judges rules that changed, or those of a field that was added. */
export function judgeRules(change: FieldChange | FieldAddedOrRemoved | MessageRulesChange): Judgement {
  if (!isSent(change.places)) return safe("callers only receive it, and rules are for requests");
  switch (change.kind) {
    case "field-added":
    case "field-removed":
      return ofAdded(change.field);
    case "message-rules-changed":
      return hasMessageRules(change.after)
        ? mayBreak("requests may be refused that were accepted")
        : safe("nothing is refused that was accepted");
    default:
      return ofField(change);
  }
}
