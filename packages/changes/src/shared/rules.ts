// Judges changes of validation rules, and added fields. The rules are the same in every style.
import type { DescField } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { hasOwnRules, requiresValue } from "@roundtrip/contract/field-rules";
import {
  isReceived,
  isSent,
  type FieldAddedOrRemoved,
  type FieldChange,
  type MessageRulesChange,
} from "../diff/change.ts";
import { behaviorsBeyond, tendency } from "../diff/rules.ts";
import { travels } from "../diff/types.ts";
import { type ComparedContracts, breaks, mayBreak, safe, type Judgement } from "../judgement.ts";

const onlyReceived = safe("callers only receive it, and rules apply to requests");

function ofField({ before, after, locations }: FieldChange): Judgement {
  const added = behaviorsBeyond(before, after);
  if (added.includes("input-only") && isReceived(locations)) return mayBreak("answers have it no longer");
  if (!isSent(locations)) return onlyReceived;
  if (added.includes("output-only")) return mayBreak("the server ignores it in requests");
  if (added.includes("immutable")) return mayBreak("updates that change it are refused or ignored");
  switch (tendency(before, after)) {
    case "required":
      return breaks("INVALID_ARGUMENT: it is required now");
    case "tighter":
      return mayBreak("INVALID_ARGUMENT for values that were accepted");
    case "other":
      return mayBreak("values that were accepted may be refused");
    case "looser":
      return safe("every value that was accepted still is");
  }
}

function ofAdded(field: DescField): Judgement {
  return requiresValue(field)
    ? breaks("INVALID_ARGUMENT: it is required, and earlier callers do not send it")
    : safe("earlier callers omit it");
}

/** Whether no reader misses the field: rules are not applied to what an Any has. */
function isRuleInAny(field: DescField | undefined, isDirect: boolean): boolean {
  return !isDirect && field?.presence !== Presence.LEGACY_REQUIRED;
}

export function judgeRules(
  change: FieldChange | FieldAddedOrRemoved | MessageRulesChange,
  contracts: ComparedContracts,
): Judgement {
  if (change.kind === "field-rules-changed" && behaviorsBeyond(change.before, change.after).length > 0)
    return ofField(change);
  if (!isSent(change.locations)) return onlyReceived;
  if (isRuleInAny("field" in change ? change.field : undefined, travels(change, contracts).isDirect))
    return safe("rules do not apply inside of an Any");
  switch (change.kind) {
    case "field-added":
    case "field-removed":
      return ofAdded(change.field);
    case "message-rules-changed":
      return hasOwnRules(change.after)
        ? mayBreak("requests that were accepted may be refused")
        : safe("every request that was accepted still is");
    default:
      return ofField(change);
  }
}

/** Judges an added field. If it joins a oneof of answers, earlier callers may receive an unknown member. */
export function judgeAddedField(change: FieldAddedOrRemoved, contracts: ComparedContracts): Judgement {
  const { field, locations } = change;
  const isNewChoice = field.oneof !== undefined && field.oneof.fields.length > 1 && isReceived(locations);
  return isNewChoice
    ? mayBreak("callers may receive a member of the oneof that they do not know")
    : judgeRules(change, contracts);
}
