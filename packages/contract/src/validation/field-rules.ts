// The limits of a field in the contract's validation rules (buf.validate), for documents, and whether the field is required. A separate
// entry, because clients should not load the descriptors of the rules.
import {
  field as fieldRules,
  Ignore,
  message as messageRules,
  type FieldRules,
} from "../gen/buf/validate/validate_pb.ts";
import { containsType, cyclesBy, memoize } from "../descriptors/components.ts";
import { isSentAlways, mayBePartial } from "./field-behavior.ts";
import { getOption, hasOption, type DescField, type DescMessage, type DescOneof } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";

/** Limits of a value, with the names of JSON Schema. Lengths are in characters. */
export type Limits = Readonly<
  Partial<
    Record<
      | "minLength"
      | "maxLength"
      | "minItems"
      | "maxItems"
      | "minimum"
      | "maximum"
      | "exclusiveMinimum"
      | "exclusiveMaximum",
      number
    > & { readonly pattern: string }
  >
>;

/** Undefined if there are no rules, or they are to be ignored. Each question would decode them anew. */
const rulesOf = memoize((field: DescField): FieldRules | undefined => {
  if (!hasOption(field, fieldRules)) return undefined;
  const rules = getOption(field, fieldRules);
  return rules.ignore === Ignore.ALWAYS ? undefined : rules;
});

/** The names of the fields that a `oneof` of a message's rules has. */
const exclusiveNames = memoize(
  (message: DescMessage): ReadonlySet<string> =>
    new Set(
      hasOption(message, messageRules) ? getOption(message, messageRules).oneof.flatMap(({ fields }) => fields) : [],
    ),
);

/** Whether a `oneof` of its message's rules has the field, so that rules about its value let zero pass unless the field says otherwise. */
export function isExclusive({ name, parent }: DescField): boolean {
  return exclusiveNames(parent).has(name);
}

/** Whether rules about its value let the zero of a field pass. */
function ignoresZero(field: DescField, { ignore }: FieldRules): boolean {
  return ignore === Ignore.UNSPECIFIED ? isExclusive(field) : ignore === Ignore.IF_ZERO_VALUE;
}

type Bounds = Extract<FieldRules["type"], { case: "int32" | "int64" }>["value"];

function boundsOf({ greaterThan, lessThan }: Bounds): Limits {
  return {
    ...(greaterThan.case === "gt" ? { exclusiveMinimum: Number(greaterThan.value) } : {}),
    ...(greaterThan.case === "gte" ? { minimum: Number(greaterThan.value) } : {}),
    ...(lessThan.case === "lt" ? { exclusiveMaximum: Number(lessThan.value) } : {}),
    ...(lessThan.case === "lte" ? { maximum: Number(lessThan.value) } : {}),
  };
}

/** The limits of a field's value; for a list, the limits of the list itself. */
export function limitsOf(field: DescField): Limits {
  return limitsIn(rulesOf(field));
}

function limitsIn(all: FieldRules | undefined): Limits {
  const rules = all?.type;
  switch (rules?.case) {
    case "string": {
      const { minLen, maxLen, len, pattern } = rules.value;
      const shortest = len > 0n ? len : minLen;
      const longest = len > 0n ? len : maxLen;
      return {
        ...(shortest > 0n ? { minLength: Number(shortest) } : {}),
        ...(longest > 0n ? { maxLength: Number(longest) } : {}),
        ...(pattern === "" ? {} : { pattern }),
      };
    }
    case "bytes": {
      // Documents that show these limits describe bytes as Base64, with or without padding.
      const { minLen, maxLen } = rules.value;
      return {
        ...(minLen > 0n ? { minLength: Math.ceil((Number(minLen) * 4) / 3) } : {}),
        ...(maxLen > 0n ? { maxLength: 4 * Math.ceil(Number(maxLen) / 3) } : {}),
      };
    }
    case "int32":
      return boundsOf(rules.value);
    case "repeated": {
      const { minItems, maxItems } = rules.value;
      return {
        ...(minItems > 0n ? { minItems: Number(minItems) } : {}),
        ...(maxItems > 0n ? { maxItems: Number(maxItems) } : {}),
      };
    }
    // No style writes 64-bit integers as numbers, so they have no numeric limits. That a number is finite is not a limit.
    case "int64":
    case "double":
    case undefined:
      return {};
  }
}

export function isRequired(field: DescField): boolean {
  return rulesOf(field)?.required === true;
}

/** True when zero, as a number or as a length, is outside `greaterThan` and `lessThan` bounds of numeric rules. */
function zeroIsRefused(rules: {
  readonly greaterThan: { readonly case: string | undefined; readonly value?: bigint | number | undefined };
  readonly lessThan: { readonly case: string | undefined; readonly value?: bigint | number | undefined };
}): boolean {
  const { greaterThan, lessThan } = rules;
  if (greaterThan.case === "gt" && (greaterThan.value ?? -1) >= 0) return true;
  if (greaterThan.case === "gte" && (greaterThan.value ?? 0) > 0) return true;
  if (lessThan.case === "lt" && (lessThan.value ?? 1) <= 0) return true;
  return lessThan.case === "lte" && (lessThan.value ?? 0) < 0;
}

/** Whether a message as a whole must have the field: a partial update may leave it out. */
export function wholeRequires(field: DescField): boolean {
  return requiresValue(field) || (field.oneof === undefined && isSentAlways(field));
}

/** Whether every request without the field breaks a rule of the contract. A required field of a resource may be missing in a partial update. */
export function requiresValue(field: DescField): boolean {
  if (field.presence === Presence.LEGACY_REQUIRED) return true;
  if (field.oneof !== undefined) return false;
  if (isSentAlways(field) && !mayBePartial(field.parent)) return true;
  const rules = rulesOf(field);
  if (rules === undefined) return false;
  const { required, type } = rules;
  if (required) return true;
  // Other rules check a field with presence only if it is set.
  if (field.presence === Presence.EXPLICIT || ignoresZero(field, rules)) return false;
  switch (type.case) {
    case "int32":
    case "int64":
      return zeroIsRefused(type.value);
    case "string":
      return type.value.minLen > 0n || type.value.len > 0n;
    case "bytes":
      return type.value.minLen > 0n;
    case "repeated":
      return type.value.minItems > 0n;
    case "double":
    case undefined:
      return false;
  }
}

export {
  changedFields,
  hasBehavior,
  hasBehaviorInside,
  isPatchItself,
  isSentAlways,
  pathsWithBehavior,
  updateMaskOf,
  withoutBehavior,
  type FieldBehavior,
} from "./field-behavior.ts";

/** The number of every option of buf.validate, on fields, messages and oneofs alike. */
export const validateOption = 1159;

/** Whether the field, message or oneof itself has rules. */
export function declaresRules({ proto }: DescField | DescMessage | DescOneof): boolean {
  return proto.options?.$unknown?.some(({ no }) => no === validateOption) === true;
}

/** Whether the message itself or one of its oneofs has a rule. */
export function hasOwnRules(message: DescMessage): boolean {
  return [message, ...message.oneofs].some(declaresRules);
}

/** A field that proto2 requires counts as a rule, because a validator can check it. */
function isRuled(field: DescField): boolean {
  return field.presence === Presence.LEGACY_REQUIRED || hasOption(field, fieldRules);
}

/** Whether a message of this type, or one inside it, has any rule. */
export const hasRules = containsType((message) => hasOwnRules(message) || message.fields.some(isRuled));

// Messages that cannot exist, because their type requires itself.

interface Requirement {
  readonly field: DescField;
  readonly message: DescMessage;
}

function requirementsOf({ fields }: DescMessage): readonly Requirement[] {
  return fields.flatMap((field) =>
    field.message !== undefined && requiresValue(field) ? [{ field, message: field.message }] : [],
  );
}

const requiredTypes = (type: DescMessage): readonly DescMessage[] => requirementsOf(type).map(({ message }) => message);

const cycleOf = cyclesBy(requiredTypes);
const requiresCycle = containsType((type) => cycleOf(type) !== undefined, requiredTypes);

/** The most types that an error names. */
const maxNamed = 6;

/**
 * Why no message of a type can exist, for example `no shop.A is possible: shop.A.b requires shop.B, shop.B.a requires shop.A; make one of these fields
 * optional`; undefined if one can.
 */
export function impossibleMessage(message: DescMessage): string | undefined {
  if (!requiresCycle(message)) return undefined;
  const steps: string[] = [];
  const seen = new Set<DescMessage>();
  for (let at = message; !seen.has(at);) {
    seen.add(at);
    const next = requirementsOf(at).find((requirement) => requiresCycle(requirement.message));
    if (next === undefined) break;
    steps.push(`${at.typeName}.${next.field.name} requires ${next.message.typeName}`);
    at = next.message;
  }
  const left = steps.length - maxNamed;
  const named = left > 1 ? [...steps.slice(0, maxNamed - 1), `${left} more`, steps.at(-1)] : steps;
  return `no ${message.typeName} is possible: ${named.join(", ")}; make one of these fields optional`;
}
