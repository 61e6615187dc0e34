// How protobuf-es stores the values of fields in its messages.
import { type DescExtension, type DescField, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, isWrapperDesc, StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";

/** A message, oneof or map of protobuf-es. */
export type Members = Record<string, unknown>;

/** A field of a message, or an extension. */
export type AnyField = DescField | DescExtension;

/** Sets an own property, even if its name is `__proto__`. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else (target as Members)[key] = value;
}

/** Whether the value of a field is that of a wrapper, instead of the wrapper: in single fields outside oneofs. */
export function isUnwrapped(field: AnyField): boolean {
  return field.fieldKind === "message" && field.oneof === undefined && isWrapperDesc(field.message);
}

/** Whether the values of a field are JSON objects: those of google.protobuf.Struct, except inside google.protobuf.Value. */
export function isJsonStruct({ message, parent }: Pick<AnyField, "message" | "parent">): boolean {
  return message?.typeName === StructSchema.typeName && parent?.typeName !== ValueSchema.typeName;
}

/** Whether a single field outside oneofs has a value to write: without presence, zero is none. */
export function setCheck(field: DescField): (message: Members) => boolean {
  const { localName } = field;
  if (field.presence !== Presence.IMPLICIT) {
    // Outside proto3, defaults are on the prototype.
    return (message) => message[localName] !== undefined && Object.hasOwn(message, localName);
  }
  const isZero = field.enum === undefined ? zeroCheck(field.scalar) : isNumber(field.enum.values[0]?.number);
  return (message) => !isZero(message[localName]);
}

function isNumber(number: number | undefined): (value: unknown) => boolean {
  return (value) => value === number;
}

function zeroCheck(scalar: ScalarType | undefined): (value: unknown) => boolean {
  switch (scalar) {
    case ScalarType.STRING:
      return (value) => value === "";
    case ScalarType.BOOL:
      return (value) => value === false;
    case ScalarType.BYTES:
      return (value) => value instanceof Uint8Array && value.length === 0;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return (value) => Object.is(value, 0);
    default:
      // 64-bit integers are bigints, numbers or text.
      return (value) => value === 0 || value === 0n || value === "0";
  }
}
