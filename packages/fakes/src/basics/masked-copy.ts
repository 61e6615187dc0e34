// Copies messages with some of their fields masked, at any depth.
import { clone, ScalarType, type DescField, type DescMessage, type Message, type Registry } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { anyPack, anyUnpack, AnySchema, type Any } from "@bufbuild/protobuf/wkt";
import { containsType } from "@roundtrip/contract";

/** Replaces a text. Values of other types are cleared. */
export const redactedText = "[redacted]";

/** Replaces or clears the value of a field that is set. */
export type MaskField = (message: ReflectMessage, field: DescField) => void;

const maskText: MaskField = (message, field) => {
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) message.set(field, redactedText);
  else message.clear(field);
};

/** Masks the fields for which `isHidden` returns true. */
export class FieldMasking {
  readonly isHidden: (field: DescField) => boolean;
  readonly #mask: MaskField;
  /** Whether such a message may contain hidden fields. The content of an `Any` is known only at run time. */
  readonly #mayHide: (schema: DescMessage) => boolean;

  /** @param mask by default, replaces texts and clears other values */
  constructor(isHidden: (field: DescField) => boolean, mask: MaskField = maskText) {
    this.isHidden = isHidden;
    this.#mask = mask;
    this.#mayHide = containsType(({ typeName, fields }) => typeName === AnySchema.typeName || fields.some(isHidden));
  }

  /** The message with its hidden fields masked. The message itself does not change. */
  copyOf(schema: DescMessage, message: Message, registry: Registry): Message {
    if (!this.#mayHide(schema)) return message;
    const copy = clone(schema, message);
    this.#apply(reflect(schema, copy, false), registry);
    return copy;
  }

  #applyToAny(any: Any, registry: Registry): void {
    const schema = registry.getMessage(any.typeUrl.slice(any.typeUrl.lastIndexOf("/") + 1));
    const content = schema === undefined ? undefined : anyUnpack(any, schema);
    if (schema === undefined || content === undefined || !this.#mayHide(schema)) return;
    this.#apply(reflect(schema, content, false), registry);
    anyPack(schema, content, any);
  }

  #apply(message: ReflectMessage, registry: Registry): void {
    if (message.desc.typeName === AnySchema.typeName) this.#applyToAny(message.message as Any, registry);
    for (const field of message.fields) {
      if (!message.isSet(field)) continue;
      if (this.isHidden(field)) this.#mask(message, field);
      else if (field.message !== undefined && this.#mayHide(field.message)) this.#applyWithin(message, field, registry);
    }
  }

  #applyWithin(message: ReflectMessage, field: DescField, registry: Registry): void {
    switch (field.fieldKind) {
      case "message":
        this.#apply(message.get(field), registry);
        return;
      case "list":
        for (const item of message.get(field)) this.#apply(item as ReflectMessage, registry);
        return;
      case "map":
        for (const value of message.get(field).values()) this.#apply(value as ReflectMessage, registry);
        return;
      case "scalar":
      case "enum":
    }
  }
}
