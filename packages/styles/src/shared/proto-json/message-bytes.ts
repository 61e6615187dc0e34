// Where messages hold bytes: each type is compiled once into a walk to those of its fields that may have any, in any depth.
import { ScalarType, toBinary, type DescField, type DescMessage, type Registry } from "@bufbuild/protobuf";
import { anyUnpack, hasCustomJsonRepresentation, isWrapperDesc, type Any } from "@bufbuild/protobuf/wkt";
import { anyMessage, holds } from "./holds.ts";
import { leastBytes, type TakenBytes } from "./taken-bytes.ts";

/** Takes the bytes out of a value. Gives it back as it is when there were none, and otherwise a copy: what it is given stays as it was. */
export type TakeBytes = (value: unknown, taken: TakenBytes) => unknown;

/** An object as protobuf-es holds messages, oneofs and maps. */
type Members = Record<string, unknown>;

interface BytesField {
  /** The field's name in a message, or that of its oneof. */
  readonly localName: string;
  readonly jsonName: string;
  readonly take: TakeBytes;
}

const bytesAlone: ReadonlySet<ScalarType> = new Set([ScalarType.BYTES]);

const ofBytes: TakeBytes = (value, taken) => taken.take(value);

/** The JSON of a wrapper is that of its value. */
const inWrapper: TakeBytes = (wrapper, taken) => {
  const { value } = wrapper as Members;
  const rest = taken.take(value);
  return rest === value ? wrapper : { ...(wrapper as Members), value: rest };
};

function inOneof({ localName }: DescField, take: TakeBytes): TakeBytes {
  return (value, taken) => {
    const oneof = value as { readonly case: string | undefined; readonly value?: unknown };
    if (oneof.case !== localName) return oneof;
    const rest = take(oneof.value, taken);
    return rest === oneof.value ? oneof : { ...oneof, value: rest };
  };
}

function inList(take: TakeBytes): TakeBytes {
  return (value, taken) => {
    const list = value as readonly unknown[];
    let rest: unknown[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      taken.enter(index);
      const item = take(list[index], taken);
      taken.leave();
      if (item !== list[index]) (rest ??= [...list])[index] = item;
    }
    return rest ?? list;
  };
}

function inMap(take: TakeBytes): TakeBytes {
  return (value, taken) => {
    const map = value as Members;
    let rest: Members | undefined;
    for (const key of Object.keys(map)) {
      taken.enter(key);
      const item = take(map[key], taken);
      taken.leave();
      if (item !== map[key]) (rest ??= { ...map })[key] = item;
    }
    return rest ?? map;
  };
}

/** The walks of all types of one registry, compiled when they are first asked for. */
export class MessageBytes {
  readonly #registry: Registry | undefined;
  readonly #known = new Map<DescMessage, TakeBytes | undefined>();

  /** @param registry finds what `google.protobuf.Any` holds */
  constructor(registry: Registry | undefined) {
    this.#registry = registry;
  }

  /** Undefined for a type that can hold no bytes. Those of extensions are not looked for. */
  ofMessage(message: DescMessage): TakeBytes | undefined {
    if (!this.#known.has(message)) this.#known.set(message, this.#compiled(message));
    return this.#known.get(message);
  }

  #compiled(message: DescMessage): TakeBytes | undefined {
    if (anyMessage.has(message.typeName)) return (value, taken) => this.#inAny(value as Any, taken);
    if (!holds(message, anyMessage, bytesAlone)) return undefined;
    return isWrapperDesc(message) ? inWrapper : this.#inFields(message);
  }

  #inFields(message: DescMessage): TakeBytes {
    let fields: readonly BytesField[] | undefined;
    return (value, taken) => {
      // A message may hold itself: it is known by the time that its fields are looked at.
      fields ??= message.fields.flatMap((field) => this.#ofField(field));
      const members = value as Members;
      let rest: Members | undefined;
      for (const { localName, jsonName, take } of fields) {
        const member = members[localName];
        if (member === undefined) continue;
        taken.enter(jsonName);
        const left = take(member, taken);
        taken.leave();
        if (left !== member) (rest ??= { ...members })[localName] = left;
      }
      return rest ?? members;
    };
  }

  #ofField(field: DescField): readonly BytesField[] {
    const take = this.#ofValue(field);
    if (take === undefined) return [];
    const { localName, jsonName, oneof, fieldKind } = field;
    if (oneof !== undefined) return [{ localName: oneof.localName, jsonName, take: inOneof(field, take) }];
    if (fieldKind === "list") return [{ localName, jsonName, take: inList(take) }];
    return [{ localName, jsonName, take: fieldKind === "map" ? inMap(take) : take }];
  }

  #ofValue(field: DescField): TakeBytes | undefined {
    if (field.message === undefined) return field.scalar === ScalarType.BYTES ? ofBytes : undefined;
    const take = this.ofMessage(field.message);
    // protobuf-es holds the value of a wrapper in place of the wrapper, where a field has one and is not one of several.
    const isUnwrapped = field.fieldKind === "message" && field.oneof === undefined && isWrapperDesc(field.message);
    return take !== undefined && isUnwrapped ? ofBytes : take;
  }

  #inAny(any: Any, taken: TakenBytes): Any {
    const { typeUrl, value } = any;
    const type =
      value.length < leastBytes ? undefined : this.#registry?.getMessage(typeUrl.slice(typeUrl.lastIndexOf("/") + 1));
    const take = type && this.ofMessage(type);
    const message = take && type && anyUnpack(any, type);
    if (type === undefined || take === undefined || message === undefined) return any;
    const isApart = hasCustomJsonRepresentation(type);
    if (isApart) taken.enter("value");
    const rest = take(message, taken) as typeof message;
    if (isApart) taken.leave();
    return rest === message ? any : { ...any, value: toBinary(type, rest) };
  }
}
