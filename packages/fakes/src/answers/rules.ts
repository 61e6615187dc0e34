// What the rules of a contract mean for messages that are made up.
import { getOption, type DescField } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { containsType } from "@roundtrip/contract";
import { rulesOfField, ruleVocabulary, type FieldRules } from "@roundtrip/contract/declared-rules";
import { declaresRules, hasBehavior, isExclusive } from "@roundtrip/contract/field-rules";

/** Whether every valid message has the field, by its format, its rules or its behavior. */
export function isRequiredField(field: DescField): boolean {
  if (field.presence === Presence.LEGACY_REQUIRED || hasBehavior(field, "required")) return true;
  const rules = rulesOfField(field);
  if (rules === undefined) return false;
  if (rules.required) return true;
  if (!appliesToUnset(field)) return false;
  if (rules.type.case === "repeated") return rules.type.value.minItems > 0n;
  return rules.type.case === "map" && rules.type.value.minPairs > 0n;
}

/** Whether the rules of a field apply to it while it is unset, as to an empty text or list. */
export function appliesToUnset(field: DescField): boolean {
  const rules = rulesOfField(field);
  if (rules === undefined || field.presence === Presence.EXPLICIT) return false;
  // Rules do not apply to an unset field of a group of which one may be set.
  if (isExclusive(field)) return false;
  return rules.ignore !== ruleVocabulary().Ignore.IF_ZERO_VALUE;
}

/** Whether it has CEL expressions, which can only be satisfied by trial. */
function hasExpression({ cel, celExpression, type, $unknown }: FieldRules): boolean {
  if (cel.length > 0 || celExpression.length > 0 || ($unknown ?? []).length > 0) return true;
  // Predefined rules of a contract are extensions of the rules of a type.
  if ((type.value?.$unknown ?? []).length > 0) return true;
  if (type.case === "repeated") return type.value.items !== undefined && hasExpression(type.value.items);
  if (type.case !== "map") return false;
  const { keys, values } = type.value;
  return (keys !== undefined && hasExpression(keys)) || (values !== undefined && hasExpression(values));
}

/** Whether there are rules about a field, or inside its value. */
export function hasRulesAbout(field: DescField): boolean {
  return declaresRules(field) || (field.message !== undefined && hasRulesInside(field.message));
}

export const hasRulesInside = containsType((message) =>
  [message, ...message.oneofs, ...message.fields].some(declaresRules),
);

/** Whether a message, or a message inside it, has rules that can only be satisfied by trial. */
export const hasFreeRules = containsType((message) => {
  if (declaresRules(message)) {
    const { cel, celExpression } = getOption(message, ruleVocabulary().message);
    if (cel.length > 0 || celExpression.length > 0) return true;
  }
  return message.fields.some((field) => {
    const rules = rulesOfField(field);
    return rules !== undefined && hasExpression(rules);
  });
});
