// The rules of a contract (buf.validate, in its complete vocabulary) as keywords of JSON Schema (2020-12). A separate entry, for documents alone: it
// loads the descriptors of all rules. What no keyword spells, such as an expression, is left out: a schema accepts whatever the service accepts.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { scalarZeroValue } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type * as validate from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import {
  exclusiveGroups,
  isRequiredOneof,
  rulesOfField,
  ruleVocabulary,
  type ExclusiveGroup,
} from "./declared-rules.ts";
import { isPatchItself, isSentAlways, updateMaskOf } from "./field-behavior.ts";
import { isExclusive } from "./field-rules.ts";
import { integerPattern } from "./integer-pattern.ts";

/** A value in JSON. Numbers of 64 bits are text. */
type Json = string | number | boolean;

/** Keywords of JSON Schema. Lengths are in characters. */
export interface SchemaRules {
  readonly [keyword: string]: Json | readonly Json[] | SchemaRules | readonly SchemaRules[];
}

// Each rule becomes a schema of its own.

const formats: Readonly<Record<string, SchemaRules>> = {
  email: { format: "email" },
  hostname: { format: "hostname" },
  ipv4: { format: "ipv4" },
  ipv6: { format: "ipv6" },
  uri: { format: "uri" },
  uriRef: { format: "uri-reference" },
  uuid: { format: "uuid" },
  tuuid: { pattern: "^[0-9a-fA-F]{32}$" },
  ulid: { pattern: "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$" },
  // It may be the value of a header, which may be empty.
  wellKnownRegex: {},
};

function literally(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`);
}

/** Whether RE2's pattern is one of ECMAScript too, as those of JSON Schema are. */
function isPortable(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** @param least 0 if there is none @param most 0 if there is none */
function sizes(least: bigint, most: bigint, of: "Length" | "Items" | "Properties"): readonly SchemaRules[] {
  return [
    ...(least > 0n ? [{ [`min${of}`]: Number(least) }] : []),
    ...(most > 0n ? [{ [`max${of}`]: Number(most) }] : []),
  ];
}

function textRules(rules: validate.StringRules): readonly SchemaRules[] {
  const { len, minLen, maxLen, lenBytes, minBytes, maxBytes, pattern, prefix, suffix, contains, wellKnown } = rules;
  // A character has one to four bytes.
  const leastByBytes = ((lenBytes || minBytes) + 3n) / 4n;
  const least = len || (minLen > leastByBytes ? minLen : leastByBytes);
  const patterns = [
    ...(isPortable(pattern) ? [pattern] : []),
    ...(prefix === "" ? [] : [`^${literally(prefix)}`]),
    ...(suffix === "" ? [] : [`${literally(suffix)}$`]),
    ...(contains === "" ? [] : [literally(contains)]),
  ];
  return [
    ...sizes(least, len || maxLen || lenBytes || maxBytes, "Length"),
    // An empty text has none of the formats that JSON Schema does not know.
    ...(wellKnown.case === undefined || wellKnown.value === false ? [] : [formats[wellKnown.case] ?? { minLength: 1 }]),
    ...patterns.filter((each) => each !== "").map((each) => ({ pattern: each })),
    ...(rules.notContains === "" ? [] : [{ not: { pattern: literally(rules.notContains) } }]),
  ];
}

/** Bytes are Base64, with or without padding. */
function bytesRules({ len, minLen, maxLen }: validate.BytesRules): readonly SchemaRules[] {
  const [least, most] = [len || minLen, len || maxLen];
  return sizes((least * 4n + 2n) / 3n, 4n * ((most + 2n) / 3n), "Length");
}

interface Bound {
  readonly case: string | undefined;
  readonly value?: number | bigint | undefined;
}

/** The number with the fewest digits that is this float to a server. */
function asFloat(value: number): number {
  const shorter = [6, 7, 8].map((digits) => Number(value.toPrecision(digits)));
  return shorter.find((each) => Math.fround(each) === value) ?? value;
}

/** How bounds of 64 bits are spelled: JSON has text for these numbers, which needs a pattern; words have the bounds, as text. */
export type LargeBounds = "pattern" | "bounds";

interface Spelling {
  readonly spelling: LargeBounds;
  readonly isUnsigned: boolean;
}

function largeBoundRules(
  low: Bound,
  high: Bound,
  isOutside: boolean,
  { spelling, isUnsigned }: Spelling,
): readonly SchemaRules[] {
  const least = low.value === undefined ? undefined : BigInt(low.value) + (low.case === "gt" ? 1n : 0n);
  const most = high.value === undefined ? undefined : BigInt(high.value) - (high.case === "lt" ? 1n : 0n);
  if (spelling === "pattern") {
    const lowest = isUnsigned ? 0n : undefined;
    if (least === undefined && most === undefined) return [];
    if (isOutside) return [{ pattern: integerPattern([lowest, most], [least, undefined]) }];
    return [{ pattern: integerPattern([least ?? lowest, most]) }];
  }
  if (least !== undefined && most !== undefined && isOutside)
    return [{ not: { minimum: String(most + 1n), maximum: String(least - 1n) } }];
  return [
    ...(least === undefined ? [] : [{ minimum: String(least) }]),
    ...(most === undefined ? [] : [{ maximum: String(most) }]),
  ];
}

function boundRules(
  low: Bound,
  high: Bound,
  asJson: (value: number) => number,
  spelling: Spelling,
): readonly SchemaRules[] {
  // A lower bound above the upper one allows what is outside of both.
  const isOutside = low.value !== undefined && high.value !== undefined && high.value < low.value;
  if (typeof low.value === "bigint" || typeof high.value === "bigint")
    return largeBoundRules(low, high, isOutside, spelling);
  const least = low.value === undefined ? undefined : asJson(low.value);
  const most = high.value === undefined ? undefined : asJson(high.value);
  if (least !== undefined && most !== undefined && isOutside) {
    const above = high.case === "lt" ? "minimum" : "exclusiveMinimum";
    return [{ not: { [above]: most, [low.case === "gt" ? "maximum" : "exclusiveMaximum"]: least } }];
  }
  return [
    ...(least === undefined ? [] : [{ [low.case === "gt" ? "exclusiveMinimum" : "minimum"]: least }]),
    ...(most === undefined ? [] : [{ [high.case === "lt" ? "exclusiveMaximum" : "maximum"]: most }]),
  ];
}

/** A value in ProtoJSON. Nothing for one that has several spellings there, and for the number of an enum without a name. */
function jsonOf(value: unknown, names: DescField["enum"], isFloat: boolean): readonly Json[] {
  if (names !== undefined) return names.values.filter(({ number }) => number === value).map(({ name }) => name);
  if (typeof value === "number") return Number.isFinite(value) ? [isFloat ? asFloat(value) : value] : [];
  if (typeof value === "bigint") return [String(value)];
  return typeof value === "string" || typeof value === "boolean" ? [value] : [];
}

function listedRules({ type }: validate.FieldRules, names: DescField["enum"]): readonly SchemaRules[] {
  const rules = type.value as { readonly in?: readonly unknown[]; readonly notIn?: readonly unknown[] } | undefined;
  if (rules === undefined) return [];
  const only = Object.hasOwn(rules, "const") ? [(rules as { readonly const?: unknown }).const] : (rules.in ?? []);
  const inJson = (values: readonly unknown[]): readonly Json[][] =>
    values.map((value) => [...jsonOf(value, names, type.case === "float")]);
  const allowed = inJson(only);
  const refused = inJson(rules.notIn ?? []).flat();
  return [
    ...(allowed.length > 0 && allowed.every(({ length }) => length > 0) ? [{ enum: allowed.flat() }] : []),
    ...(refused.length === 0 ? [] : [{ not: { enum: refused } }]),
  ];
}

function typeRules(
  { type }: validate.FieldRules,
  { message }: DescField,
  spelling: LargeBounds,
): readonly SchemaRules[] {
  switch (type.case) {
    case "string":
      return textRules(type.value);
    case "bytes":
      return bytesRules(type.value);
    case "repeated": {
      const { minItems, maxItems, unique } = type.value;
      return [
        ...sizes(minItems, maxItems, "Items"),
        ...(unique && message === undefined ? [{ uniqueItems: true }] : []),
      ];
    }
    case "map":
      return sizes(type.value.minPairs, type.value.maxPairs, "Properties");
    case undefined:
    case "bool":
    case "enum":
    case "any":
    case "duration":
    case "fieldMask":
    case "timestamp":
      return [];
    default:
      return boundRules(type.value.greaterThan, type.value.lessThan, type.case === "float" ? asFloat : Number, {
        spelling,
        isUnsigned: type.case === "uint64" || type.case === "fixed64",
      });
  }
}

// What the zero of a value passes: of a field without presence it counts as unset, and some rules ignore it.

/** In JSON; undefined for messages, which are unset instead. */
function zeroOf({ scalar, enum: names }: DescField): Json | undefined {
  if (names !== undefined) return names.values.find(({ number }) => number === 0)?.name;
  if (scalar === undefined) return undefined;
  const zero = scalarZeroValue(scalar, false);
  return typeof zero === "object" ? "" : typeof zero === "bigint" ? String(zero) : zero;
}

type Keyword = (of: never, zero: never) => boolean;

const keywords: Readonly<Record<string, Keyword>> = {
  minLength: (least: number, { length }: string) => length >= least,
  pattern: (pattern: string, zero: string) => new RegExp(pattern, "u").test(zero),
  format: (format: string) => format === "uri-reference",
  enum: (allowed: readonly Json[], zero: Json) => allowed.includes(zero),
  minimum: (least: number, zero: number) => zero >= least,
  maximum: (most: number, zero: number) => zero <= most,
  exclusiveMinimum: (below: number, zero: number) => zero > below,
  exclusiveMaximum: (above: number, zero: number) => zero < above,
  minItems: (least: number) => least === 0,
  minProperties: (least: number) => least === 0,
  not: (refused: SchemaRules, zero: Json) => !passes(refused, zero),
};

function passes(rule: SchemaRules, zero: Json): boolean {
  return Object.entries(rule).every(([keyword, of]) => keywords[keyword]?.(of as never, zero as never) ?? true);
}

/** A rule that zero passes too. Makers of clients ignore `not`: they would read the zero as a UUID, too. */
function orZero(rule: SchemaRules, zero: Json): SchemaRules {
  if (passes(rule, zero)) return rule;
  if (typeof rule["pattern"] === "string") return { pattern: `^${zero}$|${rule["pattern"]}` };
  if (Array.isArray(rule["enum"])) return { enum: [zero, ...(rule["enum"] as Json[])] };
  const empty =
    "minItems" in rule ? { maxItems: 0 } : "minProperties" in rule ? { maxProperties: 0 } : { enum: [zero] };
  return { not: { not: { anyOf: [empty, rule] } } };
}

function rulesIn(
  rules: validate.FieldRules | undefined,
  field: DescField,
  spelling: LargeBounds,
): readonly SchemaRules[] {
  if (rules === undefined || rules.ignore === ruleVocabulary().Ignore.ALWAYS) return [];
  const all = [...typeRules(rules, field, spelling), ...listedRules(rules, field.enum)];
  const isIgnored = rules.ignore === ruleVocabulary().Ignore.IF_ZERO_VALUE;
  const zero = zeroOf(field) ?? 0;
  return isIgnored ? all.map((rule) => orZero(rule, zero)) : all;
}

/** Each rule of a field's own value; for a list or map, those of the list or map itself. */
function ownRules(field: DescField, spelling: LargeBounds): readonly SchemaRules[] {
  const rules = rulesOfField(field);
  const zero = zeroOf(field) ?? 0;
  const all = rulesIn(rules, field, spelling);
  return isExclusive(field) ? all.map((rule) => orZero(rule, zero)) : all;
}

/** The rules as one schema. Makers of clients ignore `not`, so types stay simple. */
function merged(rules: readonly SchemaRules[]): SchemaRules {
  const forbidden = rules.flatMap(({ not }) => (not === undefined ? [] : [not as SchemaRules]));
  const result: Record<string, SchemaRules[string]> = {};
  const more: SchemaRules[] = [];
  for (const { not: _not, ...rule } of rules) {
    if (Object.keys(rule).some((keyword) => Object.hasOwn(result, keyword))) more.push(rule);
    else Object.assign(result, rule);
  }
  if (more.length > 0) result["allOf"] = more;
  const [first, ...others] = forbidden;
  if (first !== undefined) result["not"] = others.length === 0 ? first : { anyOf: forbidden };
  return result;
}

/** The rules of a field's value; for a list or map, those of the list or map itself. */
export function schemaRulesOf(field: DescField, spelling: LargeBounds = "pattern"): SchemaRules {
  return merged(ownRules(field, spelling));
}

/** The rules inside a list or map: of each item, or of each key and value. */
export function innerSchemaRulesOf(
  field: DescField,
  spelling: LargeBounds = "pattern",
): Readonly<Record<"keys" | "values", SchemaRules>> {
  const { type } = rulesOfField(field) ?? {};
  if (type?.case === "repeated") return { keys: {}, values: merged(rulesIn(type.value.items, field, spelling)) };
  if (type?.case !== "map" || field.fieldKind !== "map") return { keys: {}, values: {} };
  const { keys, values } = type.value;
  // Keys are text in JSON: bounds of numbers do not apply to them.
  const ofKeys = keys?.type.case === "string" ? [...textRules(keys.type.value), ...listedRules(keys, undefined)] : [];
  return { keys: merged(ofKeys), values: merged(rulesIn(values, field, spelling)) };
}

function refusesZero(field: DescField): boolean {
  const rules = rulesOfField(field);
  if (rules === undefined || rules.ignore === ruleVocabulary().Ignore.IF_ZERO_VALUE || isExclusive(field)) return false;
  const zero = zeroOf(field) ?? 0;
  return !ownRules(field, "pattern").every((rule) => passes(rule, zero));
}

/** Whether requests must have the field: by its format, its behavior, or because its zero, which counts as unset, breaks a rule. */
export function mustBeSent(field: DescField): boolean {
  if (field.presence === Presence.LEGACY_REQUIRED) return true;
  if (field.oneof !== undefined) return false;
  // Of what a mask leaves out, nothing is required.
  if (isPatchItself(field.parent) && field !== updateMaskOf(field.parent)) return false;
  if (isSentAlways(field) || rulesOfField(field)?.required === true) return true;
  return field.presence === Presence.IMPLICIT && refusesZero(field);
}

/** What a field that must be sent cannot be: its zero, unless it has presence, or a rule says so. Empty for other fields. */
export function notZero(field: DescField): SchemaRules {
  const isRequired = isSentAlways(field) || rulesOfField(field)?.required === true;
  if (!isRequired || field.presence !== Presence.IMPLICIT || refusesZero(field)) return {};
  if (field.fieldKind === "list") return { minItems: 1 };
  if (field.fieldKind === "map") return { minProperties: 1 };
  const zero = zeroOf(field);
  return zero === undefined ? {} : zero === "" ? { minLength: 1 } : { not: { enum: [zero] } };
}

/** A oneof of a message or of its rules. */
export interface FieldGroup extends ExclusiveGroup {
  /** Whether what is in JSON is set: a field without presence is unset if it is zero. */
  readonly isExact: boolean;
}

/** The oneofs of a message, and those of its rules. */
export function fieldGroups(message: DescMessage): readonly FieldGroup[] {
  return [
    ...message.oneofs.map((oneof) => ({ fields: oneof.fields, isRequired: isRequiredOneof(oneof), isExact: true })),
    ...exclusiveGroups(message).map((group) => ({
      ...group,
      isExact: group.fields.every(({ presence }) => presence !== Presence.IMPLICIT),
    })),
  ];
}
