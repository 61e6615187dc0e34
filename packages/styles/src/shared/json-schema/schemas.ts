// JSON Schemas of messages in ProtoJSON.
import type { DescEnum, DescField, DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { answerNames, type ContractElement } from "@roundtrip/contract";
import { hasBehavior, isRequired, itemLimitsOf, limitsOf, requiresValue } from "@roundtrip/contract/field-rules";
import { exampleIn, proseAbove, withoutExample } from "./prose.ts";
import { kindOf, type ScalarKind } from "../proto-json/scalars.ts";

// The JSON Schema (2020-12) that OpenAPI 3.1 uses, reduced to what contracts need.

/** A schema, or any other object of an OpenAPI document: keywords and their values. */
export type JsonSchema = { readonly [keyword: string]: JsonSchemaValue };

export type JsonSchemaValue = string | number | boolean | null | JsonSchema | readonly JsonSchemaValue[];

// Converts messages to JSON Schemas of their ProtoJSON, and collects them as components.

const wellKnown: Readonly<Record<string, JsonSchema>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", pattern: String.raw`^-?\d+(\.\d{1,9})?s$`, examples: ["1.5s"] },
  "google.protobuf.FieldMask": { type: "string", description: "Field names with commas in between." },
  "google.protobuf.Struct": { type: "object" },
  "google.protobuf.Value": {},
  "google.protobuf.ListValue": { type: "array", items: {} },
  "google.protobuf.Empty": { type: "object" },
  "google.protobuf.Any": { type: "object", properties: { "@type": { type: "string" } }, required: ["@type"] },
};

const scalars: Readonly<Record<ScalarKind, JsonSchema>> = {
  bool: { type: "boolean" },
  string: { type: "string" },
  bytes: { type: "string", contentEncoding: "base64" },
  double: { type: "number", format: "double" },
  float: { type: "number", format: "float" },
  int64: { type: "string", format: "int64" },
  uint64: { type: "string", format: "uint64" },
  uint32: { type: "integer", format: "uint32", minimum: 0 },
  int32: { type: "integer", format: "int32" },
};

function scalarSchema(scalar: ScalarType | undefined): JsonSchema {
  return scalars[scalar === undefined ? "int32" : kindOf(scalar)];
}

/** The description from a comment; empty without one. */
export function described(desc: ContractElement): JsonSchema {
  const comment = proseAbove(desc);
  return comment === "" ? {} : { description: comment };
}

function describedValue(field: DescField, { type }: JsonSchema): JsonSchema {
  const comment = proseAbove(field);
  const example = exampleIn(comment);
  if (example === undefined) return described(field);
  const isNumber = type === "integer" || type === "number";
  return { description: withoutExample(comment), examples: [isNumber ? Number(example) : example] };
}

/** Which direction a field goes, if the contract says that it goes one way only. */
function directionOf(field: DescField): JsonSchema {
  if (hasBehavior(field, "output-only")) return { readOnly: true };
  return hasBehavior(field, "input-only") ? { writeOnly: true } : {};
}

type ComponentType = DescMessage | DescEnum;

/** Whether a type stands where it is used, and is no component. */
function isInline(type: ComponentType): boolean {
  if (type.kind === "enum") return type.typeName === "google.protobuf.NullValue";
  return Object.hasOwn(wellKnown, type.typeName) || (isWrapperDesc(type) && type.fields[0]?.scalar !== undefined);
}

function typeOf({ message, enum: values }: DescField): ComponentType | undefined {
  return message ?? values;
}

export class Schemas {
  readonly #components = new Map<ComponentType, { readonly name: string; schema: JsonSchema }>();
  /** Components that have a name and no schema yet. */
  readonly #named: ComponentType[] = [];
  readonly #bodies = new Map<DescMessage, string>();
  readonly #taken: Set<string>;

  /** @param taken component names that messages may not use. */
  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** The referenced components by name, in alphabetical order. */
  components(): JsonSchema {
    const all = [...this.#components.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return Object.fromEntries(all.map(({ name, schema }) => [name, schema]));
  }

  message(message: DescMessage): JsonSchema {
    const known = Object.hasOwn(wellKnown, message.typeName) ? wellKnown[message.typeName] : undefined;
    if (known !== undefined) return known;
    const [value] = message.fields;
    if (isWrapperDesc(message) && value?.scalar !== undefined) {
      const schema = scalarSchema(value.scalar);
      return { ...schema, type: [schema["type"] as string, "null"] };
    }
    return this.#reference(message, message.fields, () => this.#schemaOf(message));
  }

  #schemaOf(type: ComponentType): JsonSchema {
    if (type.kind === "message") return this.object(type, type.fields, isRequired);
    return { type: "string", ...described(type), enum: type.values.map((value) => value.name) };
  }

  /** The part of a request in the body. A `…Request` is a component; other messages, and bindings with other body fields, are inline. */
  body(message: DescMessage, fields: readonly DescField[]): JsonSchema {
    // Requests with unknown fields are refused; answers may gain fields.
    const schema = (): JsonSchema => ({
      ...this.object(message, fields, requiresValue, (field) => this.#given(field)),
      additionalProperties: false,
    });
    const names = fields.map(({ name }) => name).join();
    const known = this.#bodies.get(message);
    if (!/.Request$/.test(message.name) || fields.length === 0 || (known ?? names) !== names) return schema();
    this.#bodies.set(message, names);
    return this.#reference(message, fields, schema);
  }

  /** A request field. A message in it refuses unknown fields too; its component cannot state that, because answers share it. */
  #given(field: DescField): JsonSchema {
    const schema = this.field(field);
    if (field.fieldKind !== "message" || !("$ref" in schema)) return schema;
    const names = field.message.fields.filter(requiresValue).map(({ jsonName }) => jsonName);
    return { ...schema, ...(names.length === 0 ? {} : { required: names }), unevaluatedProperties: false };
  }

  /** An object with some of a message's fields. `required` selects the required ones, `schemaOf` returns their schemas. */
  object(
    message: DescMessage,
    fields: readonly DescField[],
    required: (field: DescField) => boolean,
    schemaOf = (field: DescField): JsonSchema => this.field(field),
  ): JsonSchema {
    const choices = message.oneofs
      .map((choice) => choice.fields.map((field) => `\`${field.jsonName}\``).join(", "))
      .map((names) => `At most one of ${names}.`);
    const description = [proseAbove(message), ...choices].filter((text) => text !== "").join("\n\n");
    const names = fields.filter(required).map((field) => field.jsonName);
    return {
      type: "object",
      ...(description === "" ? {} : { description }),
      properties: Object.fromEntries(fields.map((field) => [field.jsonName, schemaOf(field)])),
      ...(names.length === 0 ? {} : { required: names }),
    };
  }

  /** The schema of a field's value, with its comment and rules. */
  field(field: DescField): JsonSchema {
    const schema = this.#valueOf(field);
    return { ...schema, ...limitsOf(field), ...directionOf(field), ...describedValue(field, schema) };
  }

  #valueOf(field: DescField): JsonSchema {
    switch (field.fieldKind) {
      case "scalar":
        return scalarSchema(field.scalar);
      case "enum":
        return this.#enum(field.enum);
      case "message":
        return this.message(field.message);
      case "list":
        return { type: "array", items: { ...this.#single(field), ...itemLimitsOf(field) } };
      case "map":
        return { type: "object", additionalProperties: this.#single(field) };
    }
  }

  #single({ message, enum: values, scalar }: DescField): JsonSchema {
    if (message !== undefined) return this.message(message);
    return values === undefined ? scalarSchema(scalar) : this.#enum(values);
  }

  #enum(desc: DescEnum): JsonSchema {
    if (desc.typeName === "google.protobuf.NullValue") return { type: "null" };
    return this.#reference(desc, [], () => this.#schemaOf(desc));
  }

  /** @param fields the fields of a message that its schema has */
  #reference(type: ComponentType, fields: readonly DescField[], schemaOf: () => JsonSchema): JsonSchema {
    let component = this.#components.get(type);
    if (component === undefined) {
      component = this.#nameOf(type);
      this.#nameInside(fields);
      component.schema = schemaOf();
      // Without recursion: a contract may have thousands of types that contain each other.
      for (let next = this.#named.pop(); next !== undefined; next = this.#named.pop()) {
        const known = this.#components.get(next);
        if (known !== undefined) known.schema = this.#schemaOf(next);
      }
    }
    return { $ref: `#/components/schemas/${component.name}` };
  }

  /** Names the types of fields and all types in them, each field's before the next field's. */
  #nameInside(fields: readonly DescField[]): void {
    const left = fields.map(typeOf).toReversed();
    while (left.length > 0) {
      const type = left.pop();
      if (type === undefined || isInline(type) || this.#components.has(type)) continue;
      this.#nameOf(type);
      this.#named.push(type);
      if (type.kind === "message") for (const field of type.fields.toReversed()) left.push(typeOf(field));
    }
  }

  #nameOf(type: ComponentType): { readonly name: string; schema: JsonSchema } {
    const prefix = `${type.file.proto.package}.`;
    const short = type.typeName.startsWith(prefix) ? type.typeName.slice(prefix.length) : type.typeName;
    const wanted = [...(type.kind === "message" ? answerNames(type) : []), short];
    const name = wanted.find((candidate) => !this.#taken.has(candidate)) ?? type.typeName;
    this.#taken.add(name);
    const component = { name, schema: {} };
    this.#components.set(type, component);
    return component;
  }
}
