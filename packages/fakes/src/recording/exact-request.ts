// The condition of a stub that matches exactly one request: unset fields are included.
import { isObject } from "@roundtrip/contract";
import {
  toJson,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { isWhole } from "../stubs/read-message.ts";
import { hasNull } from "../stubs/set-fields.ts";
import { isRedacted } from "./redacted.ts";

function exactValue(field: DescField, json: JsonValue): JsonValue {
  const { message, fieldKind } = field;
  if (message === undefined || isWhole(message)) return json;
  if (fieldKind === "list" && Array.isArray(json)) return json.map((one) => exactMessage(message, one));
  if (fieldKind === "map" && isObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([key, one]) => [key, exactMessage(message, one)]));
  }
  return exactMessage(message, json);
}

function exactMessage({ fields }: DescMessage, json: JsonValue): JsonValue {
  if (!isObject(json)) return json;
  const exact: JsonObject = {};
  for (const field of fields) {
    const { jsonName } = field;
    // Hidden fields are not compared either, because the file would show them.
    if (isRedacted(field)) continue;
    const value = json[jsonName];
    if (value !== undefined) exact[jsonName] = exactValue(field, value);
    else if (!hasNull(field)) exact[jsonName] = null;
  }
  return exact;
}

/**
 * The request in ProtoJSON with every field of its messages: zero values, and null for unset fields. Fields that the contract marks `debug_redact`
 * are left out, and so are extensions, which stubs cannot match. Throws for an `Any` of a type that the contract does not
 * contain.
 */
export function exactRequest(type: DescMessage, request: Message, registry: Registry): JsonValue {
  const json = toJson(type, request, { registry, alwaysEmitImplicit: true });
  return isWhole(type) ? json : exactMessage(type, json);
}
