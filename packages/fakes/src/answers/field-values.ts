// Fills one field of a message with a value, a list or a map that fits the field's name, type and rules.
import {
  create,
  ScalarType,
  type DescEnum,
  type DescEnumValue,
  type DescField,
  type DescMessage,
} from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import type { EnumRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { CallError, memoize } from "@roundtrip/contract";
import { fitsMask } from "../basics/names.ts";
import type { Draw, MadeFor, MakeContext, MakeMessage, MessageSource, Purpose } from "./draw.ts";
import { rulesOfField, type FieldRules } from "@roundtrip/contract/declared-rules";
import { hasBehavior } from "@roundtrip/contract/field-rules";
import { snakeCase } from "@roundtrip/contract/resources";
import { fieldError, impossible, maxElements } from "./limits.ts";
import { appliesToUnset } from "./rules.ts";
import { isFailureValue, isState } from "./values/failure.ts";
import { bytesValue, textValue } from "./values/text-value.ts";
import { fractionValue, integerRange, integerValue } from "./values/number-value.ts";
import { wellKnownValue } from "./well-known.ts";

export type MakeValue = (into: ReflectMessage, field: DescField, making: MakeContext) => void;

type MakeOne = (making: MakeContext) => unknown;

/** Rules about one value, and whether zero is not allowed. */
interface ValueRules {
  readonly rules: FieldRules | undefined;
  readonly isRequired: boolean;
}

/** Booleans that are true when a call succeeded. */
const good = /^(?:success|succeeded|ok|found|valid|is_valid|accepted|done)$/;

/** Booleans that are true for what is gone, and for answers that say so. */
const gone = /^(?:is_)?(?:deleted|removed|destroyed|archived|cancell?ed|disabled|suspended|revoked|expired)$/;
const results = /(?:^|_)(?:response|reply|result)$/;

function scalarValue(type: ScalarType, purpose: Purpose, { rules, isRequired }: ValueRules): (draw: Draw) => unknown {
  const own = rules?.type;
  const range = integerRange(type);
  if (range !== undefined) return integerValue(purpose, range, own?.value, isRequired);
  switch (type) {
    case ScalarType.BOOL: {
      if (own?.case === "bool" && Object.hasOwn(own.value, "const")) return () => own.value.const;
      if (isRequired || good.test(purpose.name)) return () => true;
      if (gone.test(purpose.name)) return () => results.test(purpose.owner);
      return (draw) => draw.fraction() < 0.5;
    }
    case ScalarType.BYTES:
      return bytesValue(purpose, own?.case === "bytes" ? own.value : undefined, isRequired);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return fractionValue(purpose, type, own?.value, isRequired);
    default:
      return textValue(purpose, own?.case === "string" ? own.value : undefined, isRequired);
  }
}

const meaningless = /(?:^|_)(?:UNSPECIFIED|UNKNOWN|INVALID|NONE|UNDEFINED|UNSET)$/i;

/** States of an operation that has ended well. */
const finished = /(?:^|_)(?:DONE|SUCCEEDED|SUCCESS|COMPLETED?|FINISHED)$/i;

/** The values that a state may have in an answer: none that says failure, and for an operation one that ends its callers' waiting. */
function likelyStates(values: readonly DescEnumValue[], { name, owner }: Purpose): readonly DescEnumValue[] {
  if (!isState({ name })) return values;
  const ended = /(?:^|_)operation$/.test(owner) ? values.filter((value) => finished.test(value.name)) : [];
  return ended.length > 0 ? ended : values.filter((value) => !isFailureValue(value));
}

/** The values of an enum that say something. Many fields may have an enum of fifty thousand. */
const meaningfulValues = memoize((desc: DescEnum): readonly DescEnumValue[] =>
  desc.values.filter(({ number, name, deprecated }) => number !== 0 && !meaningless.test(name) && !deprecated),
);

/** A maker of numbers for an enum field, other than the unspecified value if possible. */
function enumValue(
  desc: DescEnum,
  rules: EnumRules | undefined,
  purpose: Purpose,
  madeFor: MadeFor,
): (draw: Draw) => number {
  if (rules !== undefined && Object.hasOwn(rules, "const")) return () => rules.const;
  const [within, without] = [new Set(rules?.in), new Set(rules?.notIn)];
  const isAllowed = ({ number }: DescEnumValue): boolean =>
    (within.size === 0 || within.has(number)) && !without.has(number);
  const allowed = rules === undefined ? desc.values : desc.values.filter(isAllowed);
  const meaningful = rules === undefined ? meaningfulValues(desc) : meaningfulValues(desc).filter(isAllowed);
  const likely = madeFor === "answer" ? likelyStates(meaningful, purpose) : meaningful;
  const numbers = [likely, meaningful, allowed.filter(({ number }) => number !== 0), allowed]
    .find((some) => some.length > 0)
    ?.map(({ number }) => number) ??
    rules?.in ?? [0];
  return (draw) => draw.pickNumber(numbers);
}

type Kind = Pick<DescField, "enum" | "message"> & { readonly scalar: ScalarType | undefined };

function oneValue(kind: Kind, purpose: Purpose, valueRules: ValueRules, source: MessageSource): MakeOne {
  const { message, scalar, enum: desc } = kind;
  const { rules } = valueRules;
  if (desc !== undefined) {
    const make = enumValue(desc, rules?.type.case === "enum" ? rules.type.value : undefined, purpose, source.madeFor);
    return ({ draw, made }) => made.add(make(draw));
  }
  if (message === undefined) {
    const make = scalarValue(scalar ?? ScalarType.STRING, purpose, valueRules);
    return ({ draw, made }) => made.add(make(draw));
  }
  const wrapped = wrappedScalar(message);
  const make: MakeMessage =
    wrapped === undefined
      ? (wellKnownValue(message, source, purpose, rules?.type) ?? ((making) => source.make(message, making)))
      : wrapping(message, scalarValue(wrapped, purpose, valueRules));
  return (making) => reflect(message, make(making), false);
}

/** The scalar in google.protobuf's wrapper types, which take that scalar's rules. */
function wrappedScalar({ typeName, fields }: DescMessage): ScalarType | undefined {
  return /^google\.protobuf\.\w+Value$/.test(typeName) && fields.length === 1 ? fields[0]?.scalar : undefined;
}

function wrapping(message: DescMessage, make: (draw: Draw) => unknown): MakeMessage {
  return ({ draw, made }) => {
    const reflected = reflect(message, undefined, false);
    reflected.set(message.field["value"] as DescField, made.add(make(draw)));
    return reflected.message;
  };
}

const usualItems = 3;
const triesPerItem = 20;
/** Texts and values of enums are different where that takes few tries. */
const triesToDiffer = 4;

/** How many items to make: few, within the rules and the allowance of messages. */
function countOf({ draw, allowance }: MakeContext, least: number, most: number, costs: boolean): number {
  const wanted = draw.int(1, usualItems);
  const afforded = costs ? Math.min(wanted, allowance) : wanted;
  return Math.min(Math.max(afforded, least), most, maxElements);
}

function limit(rules: object | undefined, name: string): number {
  return rules !== undefined && Object.hasOwn(rules, name)
    ? Number((rules as Record<string, unknown>)[name])
    : maxElements;
}

function listValue(
  field: DescField & { fieldKind: "list" },
  purpose: Purpose,
  { rules, isRequired }: ValueRules,
  source: MessageSource,
): MakeValue {
  const own = rules?.type.case === "repeated" ? rules.type.value : undefined;
  const itemRules = { rules: own?.items, isRequired: own?.items?.required === true };
  const known = source.valueOf(field);
  const make: MakeOne = known === undefined ? oneValue(field, purpose, itemRules, source) : ({ draw }) => known(draw);
  const least = Math.max(Number(own?.minItems ?? 0), isRequired ? 1 : 0);
  const most = limit(own, "maxItems");
  const costs = field.message !== undefined;
  const differs = field.listKind === "enum" || field.scalar === ScalarType.STRING;
  return (into, _field, making) => {
    const list = into.get(field);
    const count = countOf(making, least, most, costs);
    const inner = { ...making, allowance: count === 0 ? 0 : Math.floor(making.allowance / count) };
    const seen = new Set<unknown>();
    for (let attempt = 0; list.size < count && attempt < count * triesPerItem; attempt++) {
      const item = make(inner);
      const key = item instanceof Uint8Array ? item.join() : item;
      const isNew = !seen.has(key);
      if (!isNew && (own?.unique === true || (differs && attempt < count * triesToDiffer))) continue;
      seen.add(key);
      list.add(item);
    }
    if (list.size < least)
      throw impossible(`${field.parent.typeName}.${field.name} needs ${least} different items, and has too few values`);
  };
}

function mapValue(
  field: DescField & { fieldKind: "map" },
  purpose: Purpose,
  { rules, isRequired }: ValueRules,
  source: MessageSource,
): MakeValue {
  const own = rules?.type.case === "map" ? rules.type.value : undefined;
  const keyRules = { rules: own?.keys, isRequired: own?.keys?.required === true };
  const valueRules = { rules: own?.values, isRequired: own?.values?.required === true };
  const key = scalarValue(field.mapKey, { ...purpose, name: "map_key" }, keyRules);
  const value = oneValue(field, purpose, valueRules, source);
  const least = Math.max(Number(own?.minPairs ?? 0), isRequired ? 1 : 0);
  const most = limit(own, "maxPairs");
  const costs = field.message !== undefined;
  return (into, _field, making) => {
    const map = into.get(field);
    const count = countOf(making, least, most, costs);
    const inner = { ...making, allowance: count === 0 ? 0 : Math.floor(making.allowance / count) };
    for (let attempt = 0; map.size < count && attempt < count * triesPerItem; attempt++) {
      map.set(making.made.add(key(making.draw)), value(inner));
    }
    if (map.size < least)
      throw impossible(`${field.parent.typeName}.${field.name} needs ${least} entries, and has too few keys`);
  };
}

/** The names of an enum beside a text of the same name: Compute Engine's `status` is a text with a name of the enum `Status`. */
function namedValues(field: DescField & { fieldKind: "scalar" | "enum" | "message" }): readonly string[] | undefined {
  if (field.scalar !== ScalarType.STRING) return undefined;
  const own = field.parent.nestedEnums.find(({ name }) => snakeCase(name) === snakeCase(field.name));
  const names = own?.values.filter(
    ({ name }) => !meaningless.test(name) && !name.startsWith("UNDEFINED_") && !isFailureValue({ name }),
  );
  return names === undefined || names.length === 0 ? undefined : names.map(({ name }) => name);
}

/** A mask that names a field of the message beside it, as masks of partial updates do; undefined for other fields. */
function maskBeside(field: DescField): MakeOne | undefined {
  const { message, parent } = field;
  if (message?.typeName !== FieldMaskSchema.typeName) return undefined;
  const beside = parent.fields.find(
    (make) => make.fieldKind === "message" && !make.message.typeName.startsWith("google.protobuf."),
  );
  const first = beside?.message?.fields.find(fitsMask);
  if (first === undefined) return undefined;
  return () => reflect(message, create(message, { paths: [first.name] }), false);
}

/** Fills a field according to its descriptor and rules. @param mustBeSet whether rules of the message need the field: it is neither zero nor empty. */
export function fieldValues(field: DescField, source: MessageSource, mustBeSet: boolean): MakeValue {
  const rules = rulesOfField(field);
  const error = fieldError(field, rules);
  if (error !== undefined) {
    return () => {
      throw error;
    };
  }
  const isRequired = mustBeSet || rules?.required === true || hasBehavior(field, "required");
  const valueRules = { rules, isRequired };
  const purpose = {
    name: snakeCase(field.name),
    owner: snakeCase(field.parent.name),
    fullName: `${field.parent.typeName}.${field.name}`,
  };
  if (field.fieldKind === "list") return listValue(field, purpose, valueRules, source);
  if (field.fieldKind === "map") return mapValue(field, purpose, valueRules, source);
  const known = source.valueOf(field);
  if (known !== undefined) return (into, _field, { draw }) => into.set(field, known(draw));
  const named = namedValues(field);
  if (named !== undefined && rules === undefined) return (into, _field, { draw }) => into.set(field, draw.pick(named));
  const mask = rules === undefined ? maskBeside(field) : undefined;
  const make = mask ?? oneValue(field, purpose, valueRules, source);
  if (isRequired || rules === undefined || field.scalar === undefined || appliesToUnset(field)) {
    return (into, _field, making) => into.set(field, make(making));
  }
  return (into, _field, making) => {
    try {
      into.set(field, make(making));
    } catch (thrown) {
      // Without a value, the field breaks no rule.
      if (!(thrown instanceof CallError)) throw thrown;
    }
  };
}
