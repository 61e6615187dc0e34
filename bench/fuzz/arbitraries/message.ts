// Messages of any type that a descriptor describes. Depends on protobuf only, not on contracts, stacks or transports.
import { anyPack } from "@bufbuild/protobuf/wkt";
import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import * as fc from "fast-check";
import { scalarValue } from "./scalar-values.ts";
import { wellKnownMessage } from "./well-known-messages.ts";

export interface MessageSource {
  /** Finds the types that a `google.protobuf.Any` may contain. */
  readonly registry: Registry;
  /** The maximum nesting depth; deeper messages are left out. */
  readonly maxDepth: number;
  /** Overrides the values of a field; undefined keeps the default. */
  readonly valuesOf: (field: DescField) => fc.Arbitrary<unknown> | undefined;
}

type Setting = readonly [field: DescField, value: unknown];

/** Numbers of the enum, and now and then an unknown one, which open enums allow. */
function enumNumber(desc: DescEnum): fc.Arbitrary<number> {
  const known = fc.constantFrom(...desc.values.map(({ number }) => number));
  return desc.open ? fc.oneof({ weight: 19, arbitrary: known }, { weight: 1, arbitrary: fc.integer() }) : known;
}

function anyMessage(desc: DescMessage, source: MessageSource): fc.Arbitrary<Message> {
  const types = [...source.registry].filter(
    (type) =>
      type.kind === "message" &&
      type.typeName !== desc.typeName &&
      !/^(?:google\.api|buf|google\.protobuf\.(?!Duration$|StringValue$|Struct$))/.test(type.typeName),
  ) as DescMessage[];
  const packed = types.map((type) =>
    messageArbitrary(type, { ...source, maxDepth: 0 }).map((message) => create(desc, anyPack(type, message) as never)),
  );
  return fc.oneof(fc.constant(create(desc)), ...packed);
}

/** One value of the field, as in protobuf-es reflection: messages are reflected. Undefined if the depth is used up. */
function oneValue(field: DescField, source: MessageSource): fc.Arbitrary<unknown> | undefined {
  if (field.enum !== undefined) return enumNumber(field.enum);
  const { message } = field;
  if (message === undefined) return scalarValue(field.scalar);
  if (source.maxDepth <= 0) return undefined;
  return messageArbitrary(message, { ...source, maxDepth: source.maxDepth - 1 }).map((value) =>
    reflect(message, value),
  );
}

/** Values for the field: one, a list, or the entries of a map. */
function valuesOf(field: DescField, source: MessageSource): fc.Arbitrary<unknown> | undefined {
  const given = source.valuesOf(field);
  if (given !== undefined) return given;
  const one = oneValue(field, source);
  if (one === undefined) return undefined;
  if (field.fieldKind === "list") return fc.array(one, { maxLength: 3 });
  if (field.fieldKind === "map") return fc.array(fc.tuple(scalarValue(field.mapKey), one), { maxLength: 3 });
  return one;
}

function messageOf(desc: DescMessage, settings: readonly Setting[]): Message {
  const reflected = reflect(desc);
  for (const [field, value] of settings) {
    if (field.fieldKind === "list") {
      const list = reflected.get(field);
      for (const item of value as readonly unknown[]) list.add(item);
    } else if (field.fieldKind === "map") {
      const map = reflected.get(field);
      for (const [key, item] of value as readonly (readonly [never, unknown])[]) map.set(key, item);
    } else reflected.set(field, value);
  }
  return reflected.message;
}

/** Sets at most one member of each oneof, and about as many other fields as fit a page. */
function compile(desc: DescMessage, source: MessageSource): fc.Arbitrary<Message> {
  const wellKnown = wellKnownMessage(desc);
  if (wellKnown !== undefined) return wellKnown;
  if (desc.typeName === "google.protobuf.Any") return anyMessage(desc, source);
  const weight = Math.max(1, Math.ceil(desc.members.length / 5));
  const unset: readonly Setting[] = [];
  const settings = desc.members.map((member): fc.Arbitrary<readonly Setting[]> => {
    const choices = (member.kind === "oneof" ? member.fields : [member]).flatMap((field) => {
      const values = valuesOf(field, source);
      return values === undefined ? [] : [values.map((value): readonly Setting[] => [[field, value]])];
    });
    if (choices.length === 0) return fc.constant(unset);
    const isRequired = member.kind === "field" && member.presence === Presence.LEGACY_REQUIRED;
    if (isRequired) return fc.oneof(...choices);
    return fc.oneof(
      { withCrossShrink: true },
      { weight, arbitrary: fc.constant(unset) },
      { weight: 2, arbitrary: fc.oneof(...choices) },
    );
  });
  return fc.tuple(...settings).map((all) => messageOf(desc, all.flat()));
}

const compiled = new WeakMap<MessageSource["valuesOf"], Map<string, fc.Arbitrary<Message>>>();

/** Messages of a type. A failing message shrinks to one with few fields set to simple values. */
export function messageArbitrary(desc: DescMessage, source: MessageSource): fc.Arbitrary<Message> {
  let known = compiled.get(source.valuesOf);
  if (known === undefined) compiled.set(source.valuesOf, (known = new Map()));
  const key = `${desc.typeName} ${source.maxDepth}`;
  let arbitrary = known.get(key);
  if (arbitrary === undefined) known.set(key, (arbitrary = compile(desc, source)));
  return arbitrary;
}
