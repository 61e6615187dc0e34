// JSON Schemas of messages in ProtoJSON.
import type { DescEnum, DescField, DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { answerNames, containsType, type ContractElement } from "@roundtrip/contract";
import { changedFields, hasBehavior, isRequired } from "@roundtrip/contract/field-rules";
import {
  fieldGroups,
  innerSchemaRulesOf,
  mustBeSent,
  notZero,
  type SchemaRules,
  schemaRulesOf,
} from "@roundtrip/contract/schema-rules";
import { both, exclusive, having, type JsonSchema, type NameOf, noneOf, tidy } from "./composition.ts";
import { exampleIn, proseAbove, withoutExample } from "./prose.ts";
import { kindOf, type ScalarKind } from "../proto-json/scalars.ts";

export type { JsonSchema };

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
  int64: { type: "string", format: "int64", pattern: String.raw`^-?\d+$` },
  uint64: { type: "string", format: "uint64", pattern: String.raw`^\d+$` },
  uint32: { type: "integer", format: "uint32", minimum: 0, maximum: 4_294_967_295 },
  int32: { type: "integer", format: "int32" },
};

/** Keys of maps are text. */
const keySchemas: Readonly<Partial<Record<ScalarKind, SchemaRules>>> = {
  bool: { enum: ["true", "false"] },
  int32: { pattern: String.raw`^-?\d+$` },
  int64: { pattern: String.raw`^-?\d+$` },
  uint32: { pattern: String.raw`^\d+$` },
  uint64: { pattern: String.raw`^\d+$` },
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

/** Whether a field goes one way only, and whether it is deprecated. */
function annotationsOf(field: DescField): JsonSchema {
  return {
    ...(hasBehavior(field, "output-only") ? { readOnly: true } : {}),
    ...(hasBehavior(field, "input-only") ? { writeOnly: true } : {}),
    ...(field.deprecated ? { deprecated: true } : {}),
  };
}

// What a request must have beyond the component of a message, which answers share.

/** Deeper messages are checked by the server alone. */
const maxDemandedLevels = 4;

const hasDemands = containsType(
  (message) => message.fields.some(mustBeSent) || fieldGroups(message).some(({ isRequired: must }) => must),
);

type ComponentType = DescMessage | DescEnum;

/** Whether a type stands where it is used, and is no component. */
function isInline(type: ComponentType): boolean {
  if (type.kind === "enum") return type.typeName === "google.protobuf.NullValue";
  return Object.hasOwn(wellKnown, type.typeName) || (isWrapperDesc(type) && type.fields[0]?.scalar !== undefined);
}

function typeOf({ message, enum: values }: DescField): ComponentType | undefined {
  return message ?? values;
}

interface SentOptions {
  readonly levels?: number;
  /** Whether a field of the message is in the path, so that the body may leave it out. */
  readonly isElsewhere?: (field: DescField) => boolean;
}

export class Schemas {
  readonly #components = new Map<ComponentType, { readonly name: string; schema: JsonSchema }>();
  /** Components that have a name and no schema yet. */
  readonly #named: ComponentType[] = [];
  readonly #bodies = new Map<DescMessage, string>();
  readonly #taken: Set<string>;
  readonly nameOf: NameOf;

  /** @param taken component names that messages may not use. */
  constructor(taken: readonly string[], nameOf: NameOf = ({ jsonName }) => jsonName) {
    this.#taken = new Set(taken);
    this.nameOf = nameOf;
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
      ...this.object(message, fields, mustBeSent, (field) => this.sent(field)),
      additionalProperties: false,
    });
    const names = fields.map(({ name }) => name).join();
    const known = this.#bodies.get(message);
    if (!/.Request$/.test(message.name) || fields.length === 0 || (known ?? names) !== names) return schema();
    this.#bodies.set(message, names);
    return this.#reference(message, fields, schema);
  }

  /** A request field. A message in it refuses unknown fields too; its component cannot state that, because answers share it. */
  sent(field: DescField, options: SentOptions = {}): JsonSchema {
    const isMessage = field.fieldKind === "message";
    const isReference = isMessage && !isInline(field.message);
    const { required, ...inside } = this.#demandsOf(field, options);
    const schema = both(this.#described(field), {
      ...(isMessage && required !== undefined ? { required } : {}),
      ...notZero(field),
      ...(isReference ? { unevaluatedProperties: false } : {}),
    });
    return tidy(schema, inside);
  }

  /** What is required inside a field of messages. */
  #demandsOf(field: DescField, { levels = 1, isElsewhere }: SentOptions): JsonSchema {
    const { message, parent } = field;
    if (message === undefined || isInline(message) || !hasDemands(message) || levels > maxDemandedLevels) return {};
    // A mask beside it says which of its fields count.
    if (changedFields(parent).has(field)) return {};
    const fields = message.fields.filter((inner) => isElsewhere?.(inner) !== true);
    const required = fields.filter(mustBeSent).map(this.nameOf);
    const inner = fields.map((each): readonly [string, JsonSchema] => [
      this.nameOf(each),
      both(this.#demandsOf(each, { levels: levels + 1 }), notZero(each)),
    ]);
    // Linters want each required property named.
    const properties = inner.filter(([name, schema]) => required.includes(name) || Object.keys(schema).length > 0);
    const choices = fieldGroups(message)
      .filter((group) => group.isRequired && group.fields.every((one) => isElsewhere?.(one) !== true))
      .map((group) => group.fields.map(this.nameOf));
    const missing = choices.map((members) => {
      const [only, ...more] = members.map((name) => having([name]));
      return { not: more.length === 0 ? (only as JsonSchema) : { anyOf: [only as JsonSchema, ...more] } };
    });
    const demands: JsonSchema = {
      ...(required.length === 0 ? {} : { required }),
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...noneOf(missing),
    };
    if (Object.keys(demands).length === 0 || field.fieldKind === "message") return demands;
    return { [field.fieldKind === "list" ? "items" : "additionalProperties"]: demands };
  }

  /** An object with some of a message's fields. `required` selects the required ones, `schemaOf` returns their schemas. */
  object(
    message: DescMessage,
    fields: readonly DescField[],
    required: (field: DescField) => boolean,
    schemaOf = (field: DescField): JsonSchema => this.field(field),
  ): JsonSchema {
    const groups = fieldGroups(message);
    const choices = groups
      .map((choice) => choice.fields.map((field) => `\`${this.nameOf(field)}\``).join(", "))
      .map((names) => `At most one of ${names}.`);
    const description = [proseAbove(message), ...choices].filter((text) => text !== "").join("\n\n");
    const names = fields.filter(required).map(this.nameOf);
    return tidy({
      type: "object",
      ...(description === "" ? {} : { description }),
      properties: Object.fromEntries(fields.map((field) => [this.nameOf(field), schemaOf(field)])),
      ...(names.length === 0 ? {} : { required: names }),
      ...exclusive(groups, this.nameOf),
    });
  }

  /** The schema of a field's value, with its comment and rules. */
  field(field: DescField): JsonSchema {
    return tidy(this.#described(field));
  }

  #described(field: DescField): JsonSchema {
    const schema = this.#valueOf(field);
    return { ...schema, ...schemaRulesOf(field), ...annotationsOf(field), ...describedValue(field, schema) };
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
        return { type: "array", items: tidy({ ...this.#single(field), ...innerSchemaRulesOf(field).values }) };
      case "map": {
        const { keys, values } = innerSchemaRulesOf(field);
        const named = { ...keySchemas[kindOf(field.mapKey)], ...keys };
        return {
          type: "object",
          additionalProperties: tidy({ ...this.#single(field), ...values }),
          ...(Object.keys(named).length === 0 ? {} : { propertyNames: named }),
        };
      }
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
