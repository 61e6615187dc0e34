// Reads the rules that a contract declares for a field, a oneof or a message, in the complete vocabulary of buf.validate.
import { getOption, hasOption, type DescField, type DescMessage, type DescOneof } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type * as validate from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { containsType, memoize } from "@roundtrip/contract";
import { hasBehavior, validateOption } from "@roundtrip/contract/field-rules";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

const require = createRequire(import.meta.url);

let vocabulary: typeof validate | undefined;

/** Loaded for the first rule: many contracts have none. */
function load(): typeof validate {
  vocabulary ??= require(
    fileURLToPath(import.meta.resolve("@bufbuild/protovalidate/gen/buf/validate/validate_pb.js")),
  ) as typeof validate;
  return vocabulary;
}

type Described = DescField | DescMessage | DescOneof;

/** Whether the field, message or oneof itself has rules. */
export function hasRules({ proto }: Described): boolean {
  return proto.options?.$unknown?.some(({ no }) => no === validateOption) === true;
}

/** Undefined if there are no rules, or they are to be ignored. Each question would decode them anew. */
export const rulesOfField = memoize((field: DescField): validate.FieldRules | undefined => {
  if (!hasRules(field)) return undefined;
  const { field: option, Ignore } = load();
  if (!hasOption(field, option)) return undefined;
  const rules = getOption(field, option);
  return rules.ignore === Ignore.ALWAYS ? undefined : rules;
});

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
  if (exclusiveFields(field.parent).has(field)) return false;
  return rules.ignore !== load().Ignore.IF_ZERO_VALUE;
}

/** Whether one field of the group is always set: by a rule, or because all of them are required. */
export function isRequiredOneof(oneof: DescOneof): boolean {
  if (hasRules(oneof) && getOption(oneof, load().oneof).required) return true;
  return oneof.fields.every((field) => hasBehavior(field, "required"));
}

/** Fields of which at most one may be set, and exactly one if the group is required. */
export interface ExclusiveGroup {
  readonly fields: readonly DescField[];
  readonly isRequired: boolean;
}

export const exclusiveGroups = memoize((message: DescMessage): readonly ExclusiveGroup[] => {
  if (!hasRules(message)) return [];
  const byName = new Map(message.fields.map((field) => [field.name, field]));
  return getOption(message, load().message).oneof.map(({ fields, required }) => ({
    fields: fields.flatMap((name) => byName.get(name) ?? []),
    isRequired: required,
  }));
});

const exclusiveFields = memoize(
  (message: DescMessage): ReadonlySet<DescField> => new Set(exclusiveGroups(message).flatMap(({ fields }) => fields)),
);

/** Whether it has CEL expressions, which can only be satisfied by trial. */
function hasExpression({ cel, celExpression, type, $unknown }: validate.FieldRules): boolean {
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
  return hasRules(field) || (field.message !== undefined && hasRulesInside(field.message));
}

export const hasRulesInside = containsType((message) => [message, ...message.oneofs, ...message.fields].some(hasRules));

/** Whether a message, or a message inside it, has rules that can only be satisfied by trial. */
export const hasFreeRules = containsType((message) => {
  if (hasRules(message)) {
    const { cel, celExpression } = getOption(message, load().message);
    if (cel.length > 0 || celExpression.length > 0) return true;
  }
  return message.fields.some((field) => {
    const rules = rulesOfField(field);
    return rules !== undefined && hasExpression(rules);
  });
});
