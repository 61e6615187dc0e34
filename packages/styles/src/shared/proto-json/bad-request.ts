// Errors of malformed JSON requests: INVALID_ARGUMENT, with the invalid field if known.
import { type DescField, type DescMessage, type JsonReadOptions, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { isFieldError } from "@bufbuild/protobuf/reflect";
import { hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import { CallError, isObject } from "@roundtrip/contract";
import { messageFromJson } from "./message-from-json.ts";

export function badField(field: string, description: string, options?: ErrorOptions): CallError {
  const violations = [{ field, description, reason: "json" }];
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, { violations }, options);
}

/** The error of a malformed request without a known field. */
export function badRequest(description: string, options?: ErrorOptions): CallError {
  return new CallError("INVALID_ARGUMENT", description, {}, options);
}

/** The error's message without its type name. */
function reasonOf({ message, cause }: Error): string {
  if (isFieldError(cause)) return cause.message;
  const reason = message.replace(/^cannot decode message \S+ from JSON: /, "");
  return reason !== message && /^["\d]/.test(reason) ? `cannot be ${reason}` : reason;
}

function fieldIn({ message, cause }: Error): string | undefined {
  if (!isFieldError(cause)) return /key "(.*)" is unknown$/s.exec(message)?.[1];
  const at = cause.field();
  return at.kind === "field" ? at.jsonName : at.name;
}

export interface JsonFault {
  /** The path of the invalid field; undefined if unknown. */
  readonly path: string | undefined;
  readonly thrown: unknown;
}

/** @param advice added to the error of an unknown field, in brackets; empty for none. */
export function badJson({ path, thrown }: JsonFault, advice = ""): CallError {
  const options = { cause: thrown };
  if (!(thrown instanceof Error)) return badRequest("the request cannot be read", options);
  const field = path ?? fieldIn(thrown);
  if (field === undefined) return badRequest(thrown.message, options);
  const isUnknown = /key ".*" is unknown$/s.test(thrown.message);
  const reason = isUnknown ? `there is no such field${advice === "" ? "" : ` (${advice})`}` : reasonOf(thrown);
  return badField(field, reason, options);
}

// Finds the path of an invalid field, which protobuf-es does not report: reads the fields again one by one, in the same order.

/** Maximum number of fields to read; later faults are reported without a path. */
const maxTries = 10_000;

/** protobuf-es's maximum depth. */
const maxDepth = 100;

/** The message in a field's JSON; undefined for scalars and for types with special JSON. */
function innerOf({ message }: DescField): DescMessage | undefined {
  return message === undefined || hasCustomJsonRepresentation(message) ? undefined : message;
}

interface FieldValue {
  readonly field: DescField;
  readonly value: JsonValue;
  /** The same value as that of the whole field: an item alone in a list or map. */
  readonly whole: JsonValue;
}

class FaultSearch {
  readonly #options: Partial<JsonReadOptions>;
  #tries = 0;

  constructor(options: Partial<JsonReadOptions>) {
    this.#options = options;
  }

  inMessage(message: DescMessage, json: JsonValue, prefix: string, depth: number): JsonFault | undefined {
    if (!isObject(json) || depth > maxDepth) return undefined;
    for (const [key, value] of Object.entries(json)) {
      const field = message.fields.find(({ name, jsonName }) => name === key || jsonName === key);
      const path = prefix + (field?.jsonName ?? key);
      const found =
        field === undefined ? this.#inUnknown(message, key, value, path) : this.#inField(field, value, path, depth);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #inUnknown(message: DescMessage, key: string, value: JsonValue, path: string): JsonFault | undefined {
    const isRefused = this.#options.ignoreUnknownFields !== true && !key.startsWith("[");
    return isRefused ? this.#fault(message, { [key]: value }, path) : undefined;
  }

  #inField(field: DescField, value: JsonValue, path: string, depth: number): JsonFault | undefined {
    if (field.fieldKind === "list" && Array.isArray(value)) return this.#inItems(field, value, path, depth);
    if (field.fieldKind === "map" && isObject(value)) return this.#inEntries(field, value, path, depth);
    return this.#inValue({ field, value, whole: value }, path, depth);
  }

  #inItems(field: DescField, items: readonly JsonValue[], path: string, depth: number): JsonFault | undefined {
    for (const [index, item] of items.entries()) {
      const found = this.#inValue({ field, value: item, whole: [item] }, `${path}[${index}]`, depth);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #inEntries(field: DescField, map: Record<string, JsonValue>, path: string, depth: number): JsonFault | undefined {
    const isText = field.fieldKind === "map" && field.mapKey === ScalarType.STRING;
    for (const [key, value] of Object.entries(map)) {
      const at = `${path}[${isText ? JSON.stringify(key) : key}]`;
      const found = this.#inValue({ field, value, whole: { [key]: value } }, at, depth);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #inValue({ field, value, whole }: FieldValue, path: string, depth: number): JsonFault | undefined {
    const inner = innerOf(field);
    if (inner !== undefined && isObject(value)) return this.inMessage(inner, value, `${path}.`, depth + 1);
    return this.#fault(field.parent, { [field.jsonName]: whole }, path);
  }

  #fault(message: DescMessage, json: JsonValue, path: string): JsonFault | undefined {
    this.#tries += 1;
    if (this.#tries > maxTries) return undefined;
    try {
      messageFromJson(message, this.#options)(json);
      return undefined;
    } catch (thrown) {
      return { path, thrown };
    }
  }
}

/** The path of the first invalid field in JSON names: `nested.times[2]`. Undefined if no single field is invalid. */
export function faultIn(
  message: DescMessage,
  json: JsonValue,
  options: Partial<JsonReadOptions>,
): JsonFault | undefined {
  return new FaultSearch(options).inMessage(message, json, "", 0);
}
