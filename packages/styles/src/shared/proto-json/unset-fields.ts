// Adds `null` for unset fields, as protobuf for Go does with `EmitUnpopulated`; protobuf-es writes only zero values and empty lists and maps.
import type { DescField, DescMessage, JsonObject, JsonValue, Registry } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import { isObject } from "@roundtrip/contract";
import { anyMessage } from "./can-contain.ts";
import type { MessageJsonForm } from "./json-form.ts";

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
export function unsetFields(type: DescMessage, registry: Registry, form: MessageJsonForm): (json: JsonValue) => void {
  const fields = new UnsetFields(registry, form);
  return (json) => fields.addTo(type, json);
}
