// Writes messages as ProtoJSON: by the specification, or with a server's choice of names and unset fields.
import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { AnySchema, FeatureSet_FieldPresence as Presence, hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import { isObject } from "@roundtrip/contract";
import { anyMessage } from "./json-text.ts";
import { lostInJson } from "./lost-in-json.ts";
import { ExtractedBytes, MessageBytes } from "./message-bytes.ts";

// The forms of a message's ProtoJSON. All readers accept each.

export interface MessageJsonForm {
  /** Field names of the contract instead of those of ProtoJSON. */
  readonly hasContractNames: boolean;
  /** Writes fields without a value too: zero values, empty lists and maps, and null, as Go's `EmitUnpopulated`. */
  readonly hasUnsetFields: boolean;
}

/** ProtoJSON's default. */
export const shortForm: MessageJsonForm = { hasContractNames: false, hasUnsetFields: false };

// Adds `null` for unset fields, as protobuf for Go does with `EmitUnpopulated`; protobuf-es writes only zero values and empty lists and maps.

/** Whether an unset field is null. Members of oneofs are left out, and so are `optional` fields of proto3, which are oneofs of one member. */
function isNullIfUnset({ fieldKind, oneof, presence, proto }: DescField): boolean {
  if (oneof !== undefined || proto.proto3Optional || fieldKind === "list" || fieldKind === "map") return false;
  return fieldKind === "message" || presence !== Presence.IMPLICIT;
}

class UnsetFields {
  readonly #registry: Registry;
  readonly #nameOf: (field: DescField) => string;

  constructor(registry: Registry, { hasContractNames }: MessageJsonForm) {
    this.#registry = registry;
    this.#nameOf = hasContractNames ? ({ name }) => name : ({ jsonName }) => jsonName;
  }

  /** Changes the JSON. */
  addTo(type: DescMessage, json: JsonValue): void {
    if (!isObject(json)) return;
    if (anyMessage.has(type.typeName)) this.#addToAny(json);
    if (hasCustomJsonRepresentation(type)) return;
    for (const field of type.fields) {
      const name = this.#nameOf(field);
      if (!Object.hasOwn(json, name)) {
        if (isNullIfUnset(field)) json[name] = null;
      } else if (field.message !== undefined) this.#addToValue(field.fieldKind, field.message, json[name] ?? null);
    }
  }

  #addToValue(kind: DescField["fieldKind"], type: DescMessage, value: JsonValue): void {
    if (kind === "list") for (const item of value as JsonValue[]) this.addTo(type, item);
    else if (kind === "map") for (const item of Object.values(value as JsonObject)) this.addTo(type, item);
    else this.addTo(type, value);
  }

  /** Types with a JSON form of their own are in `value`. */
  #addToAny(json: JsonObject): void {
    const url = json["@type"];
    const type = typeof url === "string" ? this.#registry.getMessage(url.slice(url.lastIndexOf("/") + 1)) : undefined;
    if (type !== undefined) this.addTo(type, json);
  }
}

/** Compiles a function that adds the unset fields to the JSON of a message, which it changes. @param registry resolves the types in Any */
function unsetFields(type: DescMessage, registry: Registry, form: MessageJsonForm): (json: JsonValue) => void {
  const fields = new UnsetFields(registry, form);
  return (json) => fields.addTo(type, json);
}

// Writes ProtoJSON with protobuf-es, except bytes, which Node.js encodes faster.

/** Throws an Error for a message of another type, and for values that JSON would change. */
export type MessageToJson = (message: Message) => JsonValue;

/** Compiles a writer of a type's ProtoJSON. Types without bytes cost nothing extra. */
export function messageToJson(type: DescMessage, options?: Partial<JsonWriteOptions>): MessageToJson {
  const check = lostInJson(type);
  const write = spelled(type, options);
  if (check === undefined) return write;
  return (message) => {
    check(message);
    return write(message);
  };
}

function spelled(type: DescMessage, options?: Partial<JsonWriteOptions>): MessageToJson {
  const extract = new MessageBytes(options?.registry).ofMessage(type);
  if (extract === undefined) return (message) => toJson(type, message, options);
  return (message) => {
    const extracted = new ExtractedBytes();
    const rest = extract(message, extracted) as Message;
    return extracted.putInto(toJson(type, rest, options));
  };
}

/** Whether a message can contain an Any or extensions, which need a registry. Options with a registry cost a copy per answer. */
export function needsRegistry(message: DescMessage, seen = new Set<DescMessage>()): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  return (
    message.typeName === AnySchema.typeName ||
    message.proto.extensionRange.length > 0 ||
    message.fields.some((field) => field.message !== undefined && needsRegistry(field.message, seen))
  );
}

// Writes the forms of ProtoJSON other than the short one, for servers that need not be as fast.

/** Compiles a writer of a type's ProtoJSON in a form. @param registry resolves the types in Any, and extensions */
export function messageToForm(type: DescMessage, registry: Registry, form: MessageJsonForm): MessageToJson {
  const { hasContractNames: useProtoFieldName, hasUnsetFields: alwaysEmitImplicit } = form;
  const check = lostInJson(type);
  const options = { registry, useProtoFieldName, alwaysEmitImplicit };
  const addUnset = alwaysEmitImplicit ? unsetFields(type, registry, form) : undefined;
  return (message) => {
    check?.(message);
    const json = toJson(type, message, options);
    addUnset?.(json);
    return json;
  };
}
