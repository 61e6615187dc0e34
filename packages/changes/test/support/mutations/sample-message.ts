// Messages with arbitrary values, of any type: what a caller might send, or a server answer.
import { create, ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, scalarZeroValue, type ReflectMessage } from "@bufbuild/protobuf/reflect";

/** A number from 0 up to, but without, 1. */
export type Random = () => number;

const texts = ["", "a", "4", "Zoë 5", "100% & more/?#", "COLOR_RED"];
const unsigned = [0, 1, 7, 255];
const signed = [...unsigned, -1, -300];

const scalars: Readonly<Partial<Record<ScalarType, readonly unknown[]>>> = {
  [ScalarType.STRING]: texts,
  [ScalarType.BYTES]: [Uint8Array.of(), Uint8Array.of(1, 2, 255), Uint8Array.of(0)],
  [ScalarType.BOOL]: [true, false],
  [ScalarType.FLOAT]: [0, 1.5, -2.25],
  [ScalarType.DOUBLE]: [0, 1.5, -2.25, 1e300, 0.1],
  [ScalarType.INT32]: [...signed, 2 ** 31 - 1, -(2 ** 31)],
  [ScalarType.SINT32]: [...signed, 2 ** 31 - 1, -(2 ** 31)],
  [ScalarType.SFIXED32]: [...signed, 2 ** 31 - 1, -(2 ** 31)],
  [ScalarType.UINT32]: [...unsigned, 2 ** 32 - 1],
  [ScalarType.FIXED32]: [...unsigned, 2 ** 32 - 1],
  [ScalarType.INT64]: [...signed, 2n ** 63n - 1n, -(2n ** 63n)].map(BigInt),
  [ScalarType.SINT64]: [...signed, 2n ** 63n - 1n, -(2n ** 63n)].map(BigInt),
  [ScalarType.SFIXED64]: [...signed, 2n ** 63n - 1n, -(2n ** 63n)].map(BigInt),
  [ScalarType.UINT64]: [...unsigned, 2n ** 64n - 1n].map(BigInt),
  [ScalarType.FIXED64]: [...unsigned, 2n ** 64n - 1n].map(BigInt),
};

function one<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T;
}

function valueOf(field: DescField, random: Random, depth: number): unknown {
  if (field.message !== undefined) return reflect(field.message, sampleMessage(field.message, random, depth + 1));
  if (field.enum !== undefined) return one(field.enum.values, random).number;
  const scalar = field.scalar ?? ScalarType.STRING;
  return one(scalars[scalar] ?? [scalarZeroValue(scalar, false)], random);
}

function fill(message: ReflectMessage, field: DescField, random: Random, depth: number): void {
  // Lists and maps that hold messages end somewhere.
  const count = depth > 2 ? 0 : Math.floor(random() * 3);
  switch (field.fieldKind) {
    case "list": {
      const list = message.get(field);
      for (let index = 0; index < count; index += 1) list.add(valueOf(field, random, depth));
      return;
    }
    case "map": {
      const map = message.get(field);
      const keys = scalars[field.mapKey] ?? [];
      for (let index = 0; index < count; index += 1)
        map.set(one(keys, random) as string, valueOf(field, random, depth));
      return;
    }
    case "message":
      if (depth > 2 || field.message.typeName.startsWith("google.protobuf.")) return;
      message.set(field, valueOf(field, random, depth));
      return;
    case "scalar":
    case "enum":
      message.set(field, valueOf(field, random, depth));
  }
}

/** A message of the type, filled about two times in three. */
export function sampleMessage(type: DescMessage, random: Random, depth = 0): Message {
  const message = reflect(type, create(type));
  const chosen = new Map(type.oneofs.map((oneof) => [oneof, one(oneof.fields, random)]));
  for (const field of type.fields) {
    if (field.oneof !== undefined && chosen.get(field.oneof) !== field) continue;
    if (random() < 0.67) fill(message, field, random, depth);
  }
  return message.message;
}
