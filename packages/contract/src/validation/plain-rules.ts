// The most common rules (bounds of numbers, lengths and characters of text, lengths of bytes and lists, required messages) as plain comparisons.
// A validator walks each request by reflection, which costs microseconds per call, and nearly all requests are valid.
import {
  getOption,
  hasOption,
  isFieldSet,
  isMessage,
  type DescField,
  type DescMessage,
  type Message,
} from "@bufbuild/protobuf";
import { Edition, FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import {
  field as fieldOption,
  BytesRulesSchema,
  FieldRulesSchema,
  Ignore,
  RepeatedRulesSchema,
  StringRulesSchema,
  type BytesRules,
  type FieldRules,
  type Int32Rules,
  type RepeatedRules,
  type StringRules,
} from "../gen/buf/validate/validate_pb.ts";
import { containsType, memoize } from "../descriptors/components.ts";
import { hasOwnRules, hasRules } from "./field-rules.ts";

/** True if a message certainly follows all rules of its type; false if the validator has to check it, and would find it broken if {@link PlainRules.areAll}. */
export type PlainRuleCheck = (message: Message) => boolean;

type Check = (value: unknown) => boolean;

const unsure: Check = () => false;
const always: Check = () => true;

/**
 * Character classes, of which only the last one may be repeated a variable number of times: these patterns mean the same in RE2 and JavaScript, which
 * would take time exponential in the number of such repetitions.
 */
export const plainPattern =
  /^\^(?:\[[A-Za-z0-9 +()_.,@-]+\](?:\{\d{1,3}\})?)*\[[A-Za-z0-9 +()_.,@-]+\](?:\{\d{1,3}(?:,\d{0,3})?\}|[+*?])?\$$/;

function boundsCheck({ greaterThan, lessThan }: Int32Rules): Check {
  const above = greaterThan.case === "gt" ? greaterThan.value : (greaterThan.value ?? 0) - 1;
  const below = lessThan.case === "lt" ? lessThan.value : (lessThan.value ?? 0) + 1;
  if (lessThan.case === undefined) {
    return greaterThan.case === undefined ? always : (value) => (value as number) > above;
  }
  if (greaterThan.case === undefined) return (value) => (value as number) < below;
  // In buf.validate, a lower bound above the upper one means values outside of both.
  return above < below ? (value) => (value as number) > above && (value as number) < below : unsure;
}

function textCheck(rules: StringRules): Check {
  const { field } = StringRulesSchema;
  const { minLen, maxLen, pattern } = rules;
  const hasPattern = isFieldSet(rules, field.pattern);
  if (isFieldSet(rules, field.len) || (hasPattern && !plainPattern.test(pattern))) return unsure;
  const regex = hasPattern ? new RegExp(pattern) : undefined;
  const least = Number(minLen);
  const most = isFieldSet(rules, field.maxLen) ? Number(maxLen) : Number.POSITIVE_INFINITY;
  return (value) => {
    const text = value as string;
    if (text.length > 2 * most) return false;
    // Rules count characters: at most the number of UTF-16 units, at least half of it.
    const isCertain = text.length <= most && text.length >= 2 * least - 1;
    const length = isCertain ? least : Array.from(text).length;
    return length >= least && length <= most && (regex === undefined || regex.test(text));
  };
}

function bytesCheck(rules: BytesRules): Check {
  const least = Number(rules.minLen);
  const most = isFieldSet(rules, BytesRulesSchema.field.maxLen) ? Number(rules.maxLen) : Number.POSITIVE_INFINITY;
  return (value) => {
    const { length } = value as Uint8Array;
    return length >= least && length <= most;
  };
}

const isFinite: Check = (value) => Number.isFinite(value);

/** Rules of a list. Items that are messages have their type's rules, too. */
function listCheck(rules: RepeatedRules): Check {
  const { items, minItems } = rules;
  if (items !== undefined && (items.required || !isKnownWhole(items))) return unsure;
  const itemCheck = items === undefined ? always : valueCheck(items);
  if (itemCheck === unsure) return unsure;
  const least = Number(minItems);
  const most = isFieldSet(rules, RepeatedRulesSchema.field.maxItems)
    ? Number(rules.maxItems)
    : Number.POSITIVE_INFINITY;
  return (value) => {
    const list = value as readonly unknown[];
    return list.length >= least && list.length <= most && (itemCheck === always || list.every(itemCheck));
  };
}

/** True if the rules use only the part of buf.validate that this file knows. */
function isKnownWhole(rules: Message): boolean {
  if (isMessage(rules, FieldRulesSchema) && rules.ignore !== Ignore.UNSPECIFIED) return false;
  return rules.$unknown === undefined || rules.$unknown.length === 0;
}

function valueCheck({ type }: FieldRules): Check {
  switch (type.case) {
    case undefined:
      return always;
    case "double":
      if (!isKnownWhole(type.value)) return unsure;
      return type.value.finite ? isFinite : always;
    case "int32":
      return isKnownWhole(type.value) ? boundsCheck(type.value) : unsure;
    case "string":
      return isKnownWhole(type.value) ? textCheck(type.value) : unsure;
    case "bytes":
      return isKnownWhole(type.value) ? bytesCheck(type.value) : unsure;
    default:
      return unsure;
  }
}

/** A required field without presence must not have its zero value. The validator checks this rule. */
function scalarCheck(field: DescField, rules: FieldRules): Check {
  if (field.presence === Presence.IMPLICIT) return rules.required ? unsure : valueCheck(rules);
  // Outside proto3, an unset field reads as its default.
  if (field.parent.file.edition !== Edition.EDITION_PROTO3) return unsure;
  const check = valueCheck(rules);
  if (check === unsure) return unsure;
  return (value) => (value === undefined ? !rules.required : check(value));
}

function messageCheck(field: DescField & { fieldKind: "message" }, rules: FieldRules | undefined): Check {
  if (rules !== undefined && rules.type.case !== undefined) return unsure;
  const isRequired = rules?.required === true;
  const { message } = field;
  if (!hasRules(message)) return (value) => value !== undefined || !isRequired;
  // Found when the first message is checked: types may contain each other.
  let inner: Check | undefined;
  return (value) => (value === undefined ? !isRequired : (inner ??= checkOf(message))(value));
}

/** The rules of a list's messages by their type; {@link always} for other items. Found with the first item: types may contain each other. */
function itemsCheck({ message }: DescField): Check {
  if (message === undefined || !hasRules(message)) return always;
  let inner: Check | undefined;
  return (value) => (value as readonly unknown[]).every((inner ??= checkOf(message)));
}

/** The check of a field's value; {@link always} if it has no rules. */
function fieldCheck(field: DescField): Check {
  const rules = hasOption(field, fieldOption) ? getOption(field, fieldOption) : undefined;
  if (rules === undefined && (field.message === undefined || !hasRules(field.message))) return always;
  if (field.oneof !== undefined || (rules !== undefined && !isKnownWhole(rules))) return unsure;
  if (field.fieldKind === "message") return messageCheck(field, rules);
  if (field.fieldKind === "scalar" && rules !== undefined) return scalarCheck(field, rules);
  if (field.fieldKind !== "list" || rules?.required === true) return unsure;
  const items = itemsCheck(field);
  const type = rules?.type;
  if (type?.case === undefined) return items;
  const list = type.case === "repeated" && isKnownWhole(type.value) ? listCheck(type.value) : unsure;
  if (list === unsure || items === always) return list;
  return (value) => list(value) && items(value);
}

const checkOf = memoize((message: DescMessage): Check => {
  if (hasOwnRules(message)) return unsure;
  const checks = message.fields
    .map((field) => ({ name: field.localName, check: fieldCheck(field) }))
    .filter(({ check }) => check !== always);
  if (checks.some(({ check }) => check === unsure)) return unsure;
  return (value) => {
    for (const { name, check } of checks) {
      if (!check((value as Readonly<Record<string, unknown>>)[name])) return false;
    }
    return true;
  };
});

/** The words of buf.validate's rules that this file knows, as text. */
const plainWords = new Set(
  "true required int32 gt gte lt lte string min_len max_len pattern bytes double finite repeated min_items max_items items".split(
    " ",
  ),
);

/** Whether a .proto file seems to have rules that are not plain: a guess, by which the validator is loaded early. */
export function seemsToNeedValidator(proto: string): boolean {
  const rules = proto.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, "").matchAll(/\(buf\.validate\.(\w+)\)([^;(]*)/g);
  return [...rules].some(
    ([, on, words = ""]) => on !== "field" || words.match(/[a-z]\w*/g)?.some((word) => !plainWords.has(word)) === true,
  );
}

/** The messages in it whose rules its check checks, too. */
function checkedInside({ fields }: DescMessage): readonly DescMessage[] {
  return fields.flatMap(({ fieldKind, message }) =>
    fieldKind !== "map" && message !== undefined && hasRules(message) ? [message] : [],
  );
}

const needsValidator = containsType((message) => checkOf(message) === unsure, checkedInside);

export interface PlainRules {
  readonly obeysPlainRules: PlainRuleCheck;
  /** True if the message and all messages in it have no other rules. */
  readonly areAll: boolean;
}

/** Compiles the plain rules of a message type. Messages with other rules are left to the validator. */
export function plainRules(message: DescMessage): PlainRules {
  return { obeysPlainRules: checkOf(message), areAll: !needsValidator(message) };
}
