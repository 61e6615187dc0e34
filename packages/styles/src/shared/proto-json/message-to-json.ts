// Writes messages as ProtoJSON: by the specification, or with a server's choice of names and unset fields. Each type is compiled once.
import {
  createRegistry,
  type DescField,
  type DescMessage,
  getExtension,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import {
  type Any,
  anyUnpack,
  FeatureSet_FieldPresence as Presence,
  type FieldMask,
  hasCustomJsonRepresentation,
  isWrapperDesc,
} from "@bufbuild/protobuf/wkt";
import { type AnyField, isJsonStruct, isUnwrapped, type Members, setCheck, setOwn } from "../local-values.ts";
import { negativeZero, scalarJson } from "./scalars.ts";

/** The form of a message's ProtoJSON. All readers accept each. */
export interface MessageJsonForm {
  /** Field names of the contract instead of those of ProtoJSON. */
  readonly hasContractNames: boolean;
  /** Writes fields without a value too: zero values, empty lists and maps, and null, as Go's `EmitUnpopulated`. */
  readonly hasUnsetFields: boolean;
}

/** ProtoJSON's default. */
export const shortForm: MessageJsonForm = { hasContractNames: false, hasUnsetFields: false };

/** Throws an Error for a message of another type, and for values that JSON would change. */
export type MessageToJson = (message: Message) => JsonValue;

type WriteValue = (value: unknown) => JsonValue;
type WriteField = (message: Members, json: JsonObject) => void;

// Types with a JSON form of their own.

/** JSON that JSON.stringify writes exactly. */
export function exactJson(json: unknown): JsonValue {
  if (typeof json === "number") {
    if (!Number.isFinite(json)) throw new Error(`JSON has no number ${json}`);
    return Object.is(json, -0) ? negativeZero : json;
  }
  if (Array.isArray(json)) return json.map(exactJson);
  if (typeof json !== "object" || json === null) return json as JsonValue;
  const copy = {};
  for (const [key, value] of Object.entries(json)) setOwn(copy, key, exactJson(value));
  return copy;
}

/** Throws for a mask that its text would change: it has commas between the paths. */
function checkMask(message: unknown): void {
  const { paths } = message as FieldMask;
  if (paths.some((path) => path === "" || path.includes(","))) {
    throw new Error("a field mask with a path that is empty or has a comma has no spelling in JSON");
  }
}

function specialWriter(type: DescMessage): WriteValue | undefined {
  switch (type.typeName) {
    case "google.protobuf.Timestamp":
    case "google.protobuf.Duration":
      return (message) => toJson(type, message as Message);
    case "google.protobuf.FieldMask":
      return (message) => {
        checkMask(message);
        return toJson(type, message as Message);
      };
    case "google.protobuf.Struct":
    case "google.protobuf.Value":
    case "google.protobuf.ListValue":
      return (message) => exactJson(toJson(type, message as Message));
    default: {
      const [value] = type.fields;
      if (value === undefined || !isWrapperDesc(type)) return undefined;
      const write = scalarWriter(value);
      return (message) => write((message as Members)["value"]);
    }
  }
}

// Values of fields.

function scalarWriter(field: AnyField): WriteValue {
  const { expected, write } = scalarJson(field.scalar as NonNullable<AnyField["scalar"]>);
  return (value) => {
    const json = write(value);
    if (json === undefined) throw new Error(`${field.name}: expected ${expected}, got a value of type ${typeof value}`);
    return json;
  };
}

function enumWriter(desc: NonNullable<AnyField["enum"]>): WriteValue {
  const isNull = desc.typeName === "google.protobuf.NullValue";
  return (number) => {
    if (typeof number !== "number")
      throw new Error(`expected a number of ${desc.name}, got a value of type ${typeof number}`);
    return isNull ? null : (desc.value[number]?.jsonName ?? number);
  };
}

/** Whether an unset field is null in the form with unset fields. Members of oneofs are left out, and `optional` fields of proto3 too. */
function isNullIfUnset({ presence, proto }: DescField): boolean {
  return presence !== Presence.IMPLICIT && !proto.proto3Optional;
}

function setPlain(json: JsonObject, name: string, value: JsonValue): void {
  json[name] = value;
}

class MessageWriters {
  readonly #registry: Registry;
  readonly #form: MessageJsonForm;
  readonly #known = new Map<DescMessage, WriteValue>();

  /** @param registry resolves extensions and the types in `google.protobuf.Any`. */
  constructor(registry: Registry, form: MessageJsonForm) {
    this.#registry = registry;
    this.#form = form;
  }

  ofMessage(type: DescMessage): WriteValue {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const isAny = type.typeName === "google.protobuf.Any";
    const write = specialWriter(type) ?? (isAny ? (any) => this.#any(any as Any) : this.#fieldsWriter(type));
    this.#known.set(type, write);
    return write;
  }

  #fieldsWriter(type: DescMessage): WriteValue {
    let fields: readonly WriteField[] | undefined;
    return (value) => {
      const message = value as Message & Members;
      if (message.$typeName !== type.typeName)
        throw new Error(`expected a ${type.typeName}, got a ${message.$typeName}`);
      // Compiled on first use, because types may be recursive.
      fields ??= type.fields.toSorted((a, b) => a.number - b.number).map((field) => this.#field(field));
      const json: JsonObject = {};
      for (const write of fields) write(message, json);
      if (message.$unknown !== undefined) this.#addExtensions(type, message, json);
      return json;
    };
  }

  #field(field: DescField): WriteField {
    const { localName, oneof } = field;
    const { hasContractNames, hasUnsetFields } = this.#form;
    const name = hasContractNames ? field.name : field.jsonName;
    const write = this.#wholeValue(field);
    const set = name === "__proto__" ? setOwn : setPlain;
    if (oneof !== undefined) {
      return (message, json) => {
        const { case: chosen, value } = message[oneof.localName] as {
          readonly case?: string;
          readonly value?: unknown;
        };
        if (chosen === localName) set(json, name, write(value));
      };
    }
    if (field.fieldKind === "list" || field.fieldKind === "map") {
      return (message, json) => {
        const value = message[localName] as object;
        if (hasUnsetFields || Object.keys(value).length > 0) set(json, name, write(value));
      };
    }
    const isSet = setCheck(field);
    const isImplicit = field.presence === Presence.IMPLICIT;
    const isRequired = field.presence === Presence.LEGACY_REQUIRED;
    const isNull = hasUnsetFields && isNullIfUnset(field);
    return (message, json) => {
      if (isSet(message) || (hasUnsetFields && isImplicit)) set(json, name, write(message[localName]));
      else if (isRequired) throw new Error(`${field.parent.typeName}.${field.name} is required and not set`);
      else if (isNull) set(json, name, null);
    };
  }

  /** Writes all of a field: the values of a list or map too. */
  #wholeValue(field: AnyField): WriteValue {
    const write = this.#value(field);
    if (field.fieldKind === "list") return (list) => (list as readonly unknown[]).map(write);
    if (field.fieldKind !== "map") return write;
    return (map) => {
      const json = {};
      for (const [key, value] of Object.entries(map as object)) setOwn(json, key, write(value));
      return json;
    };
  }

  #value(field: AnyField): WriteValue {
    if (field.enum !== undefined) return enumWriter(field.enum);
    if (field.message === undefined) return scalarWriter(field);
    if (isJsonStruct(field)) return exactJson;
    const [value] = field.message.fields;
    return value !== undefined && isUnwrapped(field) ? scalarWriter(value) : this.ofMessage(field.message);
  }

  #addExtensions(type: DescMessage, message: Message, json: JsonObject): void {
    for (const number of new Set(message.$unknown?.map(({ no }) => no))) {
      const extension = this.#registry.getExtensionFor(type, number);
      if (extension !== undefined) {
        json[extension.jsonName] = this.#wholeValue(extension)(getExtension(message, extension));
      }
    }
  }

  #any(any: Any): JsonValue {
    const { typeUrl, value: bytes } = any;
    if (typeUrl === "" && bytes.length > 0) throw new Error("bytes of no type have no spelling in JSON");
    if (typeUrl === "") return {};
    const message = anyUnpack(any, this.#registry);
    const type = message === undefined ? undefined : this.#registry.getMessage(message.$typeName);
    if (type === undefined) throw new Error(`${typeUrl} is not a type of the contract`);
    const json = this.ofMessage(type)(message);
    return hasCustomJsonRepresentation(type)
      ? { value: json, "@type": typeUrl }
      : { ...(json as JsonObject), "@type": typeUrl };
  }
}

const empty = createRegistry();
const known = new WeakMap<Registry, Map<string, MessageWriters>>();

/** Compiles a writer of a type's ProtoJSON. @param form by default the short one */
export function messageToJson(
  type: DescMessage,
  { registry = empty }: { readonly registry?: Registry },
  form: MessageJsonForm = shortForm,
): MessageToJson {
  const ofRegistry = known.get(registry) ?? new Map<string, MessageWriters>();
  known.set(registry, ofRegistry);
  const key = `${form.hasContractNames} ${form.hasUnsetFields}`;
  const writers = ofRegistry.get(key) ?? new MessageWriters(registry, form);
  ofRegistry.set(key, writers);
  return writers.ofMessage(type);
}
