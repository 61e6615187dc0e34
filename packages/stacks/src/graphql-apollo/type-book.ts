// The types of a schema, each made when it is first asked for: objects for responses, input objects for requests.
import type { DescEnum, DescField, DescMessage, Message } from "@bufbuild/protobuf";
import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputFieldConfig,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
} from "graphql";
import { readerOf } from "./codec.ts";
import { encoderOf } from "./convert.ts";
import { describe, describeInput } from "./describe.ts";
import { enumNames } from "./enum-names.ts";
import { fieldEnumValues } from "./field-enum.ts";
import { asItIs } from "./leaf.ts";
import type { Model, RootField, TypeRef } from "./model.ts";
import { scalarTypes } from "./scalars.ts";
import { spellsUnspecified, type Shape } from "./shape.ts";

/** Messages inside an answer are handed on as they are: their fields have resolvers of their own. */
const handOn = () => asItIs;

function resolverOf(shape: Shape): { resolve: (message: Message) => unknown } | Record<string, never> {
  const encode = encoderOf(shape, handOn);
  const { localName, oneof } = shape.field;
  const isPlain = oneof === undefined && localName === shape.name && encode === asItIs;
  const defaultsAreOwn = shape.isAlwaysSet || shape.field.message !== undefined || isProto3(shape.field);
  // graphql-js reads the property itself, which is the fastest there is.
  if (isPlain && defaultsAreOwn) return {};
  const read = readerOf(shape);
  return {
    resolve(message) {
      const value = read(message);
      return value === undefined ? undefined : encode(value);
    },
  };
}

function isProto3(field: DescField): boolean {
  return field.parent.file.proto.syntax === "proto3";
}

export class TypeBook {
  readonly #model: Model;
  readonly #scalars = scalarTypes();
  readonly #outputs = new Map<string, GraphQLNamedOutputType>(this.#scalars);
  readonly #inputs = new Map<string, GraphQLNamedInputType>(this.#scalars);
  readonly #enums = new Map<string, GraphQLEnumType>();
  readonly #spelledOut = new Set<DescEnum>();

  constructor(model: Model) {
    this.#model = model;
    for (const { operation } of model.roots) {
      for (const message of [operation.output, operation.input]) this.#findSpelledOut(message, new Set());
    }
    for (const { operation } of model.roots) {
      this.#addOutput(operation.output);
      this.#addInput(operation.input);
    }
  }

  output(ref: TypeRef): GraphQLOutputType {
    const named = this.#outputs.get(ref.name) ?? this.#enums.get(ref.name);
    if (named === undefined) throw new Error(`no type ${ref.name}`);
    const inner = ref.areElementsNonNull ? new GraphQLNonNull(named) : named;
    const type = ref.isList ? new GraphQLList(inner) : named;
    return ref.isNonNull ? new GraphQLNonNull(type) : type;
  }

  input(ref: TypeRef): GraphQLInputType {
    const named = this.#inputs.get(ref.name) ?? this.#enums.get(ref.name);
    if (named === undefined) throw new Error(`no type ${ref.name}`);
    const inner = ref.areElementsNonNull ? new GraphQLNonNull(named) : named;
    const type = ref.isList ? new GraphQLList(inner) : named;
    return ref.isNonNull ? new GraphQLNonNull(type) : type;
  }

  arguments(root: RootField): GraphQLFieldConfigArgumentMap {
    return Object.fromEntries(
      root.arguments.map(({ name, type, field }) => [
        name,
        { type: this.input(type), description: field === undefined ? null : describeInput(field, this.#model) },
      ]),
    );
  }

  /** Enums that somewhere have to tell "unspecified" from absent. */
  #findSpelledOut(message: DescMessage, seen: Set<DescMessage>): void {
    if (seen.has(message)) return;
    seen.add(message);
    for (const { field, value } of this.#model.shapes(message)) {
      if (value.kind === "enum" && spellsUnspecified(field)) this.#spelledOut.add(value.enum);
      if (value.kind === "message") this.#findSpelledOut(value.message, seen);
    }
  }

  #addEnum(desc: DescEnum, name: string): void {
    if (this.#enums.has(name)) return;
    const { numberOf, unspecified } = enumNames(desc);
    const spelled = unspecified === undefined || !this.#spelledOut.has(desc) ? [] : ([[unspecified, 0]] as const);
    const values = [...spelled, ...numberOf].map(([value, number]) => {
      const of = desc.values.find((candidate) => candidate.number === number);
      return [value, { description: of === undefined ? null : describe(of, this.#model) }] as const;
    });
    const description = describe(desc, this.#model);
    this.#enums.set(name, new GraphQLEnumType({ name, description, values: Object.fromEntries(values) }));
  }

  #addFieldEnum(message: DescMessage, name: string): void {
    if (this.#enums.has(name)) return;
    const values = [...fieldEnumValues(message).values()].map((value) => [value, {}] as const);
    const description = `The fields of ${this.#model.valueTypeOf({ kind: "message", message }, "input")}.`;
    this.#enums.set(name, new GraphQLEnumType({ name, description, values: Object.fromEntries(values) }));
  }

  #addOutput(message: DescMessage): void {
    const name = this.#model.valueTypeOf({ kind: "message", message }, "output");
    const shapes = this.#model.shapes(message);
    if (this.#outputs.has(name) || shapes.length === 0) return;
    const fields = (): Record<string, GraphQLFieldConfig<Message, unknown>> =>
      Object.fromEntries(
        shapes.map((shape) => [
          shape.name,
          {
            type: this.output(this.#model.typeOf(shape, "output")),
            description: describe(shape.field, this.#model),
            ...resolverOf(shape),
          },
        ]),
      );
    this.#outputs.set(name, new GraphQLObjectType({ name, description: describe(message, this.#model), fields }));
    for (const shape of shapes) {
      this.#addValue(shape);
      if (shape.value.kind === "message") this.#addOutput(shape.value.message);
      if (shape.arrangement === "map") this.#addOutputEntry(shape);
    }
  }

  #addInput(message: DescMessage): void {
    const name = this.#model.valueTypeOf({ kind: "message", message }, "input");
    const shapes = this.#model.shapes(message);
    if (this.#inputs.has(name) || shapes.length === 0) return;
    const fields = (): Record<string, GraphQLInputFieldConfig> =>
      Object.fromEntries(
        shapes.map((shape) => [
          shape.name,
          {
            type: this.input(this.#model.typeOf(shape, "input")),
            description: describeInput(shape.field, this.#model),
          },
        ]),
      );
    this.#inputs.set(name, new GraphQLInputObjectType({ name, description: describe(message, this.#model), fields }));
    for (const shape of shapes) {
      this.#addValue(shape);
      if (shape.value.kind === "message") this.#addInput(shape.value.message);
      if (shape.arrangement === "map") this.#addInputEntry(shape);
    }
  }

  #addValue({ value }: Shape): void {
    if (value.kind === "enum") this.#addEnum(value.enum, this.#model.valueTypeOf(value, "output"));
    if (value.kind === "fields") this.#addFieldEnum(value.message, this.#model.valueTypeOf(value, "input"));
  }

  #entryRefs(shape: Shape, direction: "output" | "input"): { readonly key: TypeRef; readonly value: TypeRef } {
    const plain = { isList: false, areElementsNonNull: true };
    const value = this.#model.valueTypeOf(shape.value, direction);
    return {
      key: { name: shape.key?.type ?? "String", isNonNull: true, ...plain },
      value: { name: value, isNonNull: shape.areElementsNonNull, ...plain },
    };
  }

  #addOutputEntry(shape: Shape): void {
    const name = this.#model.entryTypeOf(shape.field, "output");
    const fields = () => {
      const { key, value } = this.#entryRefs(shape, "output");
      return { key: { type: this.output(key) }, value: { type: this.output(value) } };
    };
    this.#outputs.set(name, new GraphQLObjectType({ name, fields }));
  }

  #addInputEntry(shape: Shape): void {
    const name = this.#model.entryTypeOf(shape.field, "input");
    const fields = () => {
      const { key, value } = this.#entryRefs(shape, "input");
      return { key: { type: this.input(key) }, value: { type: this.input(value) } };
    };
    this.#inputs.set(name, new GraphQLInputObjectType({ name, fields }));
  }
}
