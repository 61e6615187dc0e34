// What a contract says of its fields with `google.api.field_behavior` (AIP-203): https://google.aip.dev/203. The option is read by its number, so a
// contract may have its own copy of the declaration.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { perDescriptor } from "../descriptors/per-descriptor.ts";

/** The number of `google.api.field_behavior` on fields. */
const behaviorOption = 1052;

/** The values of `google.api.FieldBehavior` that have an effect here, by number. */
const behaviors = {
  2: "required",
  3: "output-only",
  4: "input-only",
  5: "immutable",
  8: "identifier",
} as const;

export type FieldBehavior = (typeof behaviors)[keyof typeof behaviors];

function numbersIn(data: Uint8Array, wireType: WireType): readonly number[] {
  const reader = new BinaryReader(data);
  if (wireType !== WireType.LengthDelimited) return [reader.int32()];
  const packed = new BinaryReader(reader.bytes());
  const numbers: number[] = [];
  while (packed.pos < packed.len) numbers.push(packed.int32());
  return numbers;
}

/** The behaviors of a field; empty without the option. */
const behaviorsOf = perDescriptor((field: DescField): ReadonlySet<FieldBehavior> => {
  const options = field.proto.options?.$unknown?.filter(({ no }) => no === behaviorOption) ?? [];
  const numbers = options.flatMap(({ data, wireType }) => numbersIn(data, wireType));
  const known = behaviors as Readonly<Record<number, FieldBehavior | undefined>>;
  return new Set(numbers.map((number) => known[number]).filter((behavior) => behavior !== undefined));
});

export function hasBehavior(field: DescField, behavior: FieldBehavior): boolean {
  return behaviorsOf(field).has(behavior);
}

/** Whether callers must send the field: REQUIRED, and not OUTPUT_ONLY, which callers cannot send. */
export function isSentAlways(field: DescField): boolean {
  return hasBehavior(field, "required") && !hasBehavior(field, "output-only");
}

const behaviorsInside = perDescriptor((message: DescMessage): ReadonlySet<FieldBehavior> => {
  const types = new Set([message]);
  const found = new Set<FieldBehavior>();
  // The loop also visits types that are added meanwhile.
  for (const { fields } of types) {
    for (const field of fields) {
      for (const behavior of behaviorsOf(field)) found.add(behavior);
      if (field.message !== undefined) types.add(field.message);
    }
  }
  return found;
});

export function hasBehaviorInside(message: DescMessage, behavior: FieldBehavior): boolean {
  return behaviorsInside(message).has(behavior);
}
