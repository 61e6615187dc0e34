// The types of a schema, made on first use.
import type { DescEnum, DescField, DescMessage, DescOneof, Message } from "@bufbuild/protobuf";
import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  type GraphQLNamedInputType,
  type GraphQLNamedOutputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLType,
  GraphQLUnionType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from "graphql";
import { describe, documented, documentedInput } from "./describe.ts";
import { fieldName } from "./field-name.ts";
import type { GraphqlContext } from "./resolvers.ts";
import { edgeResolver } from "../edges/edge-resolvers.ts";
import type { Edge, EdgesOf } from "../edges/edges.ts";
import type { Argument, Model, TypeRef } from "./model.ts";
import type { Direction } from "./names.ts";
import { type Shape, spellsUnspecified } from "./shape.ts";
import { readerOf } from "../values/codec.ts";
import { type Choice, type Chosen, chosenReader, encoderOf, type Part, passOn } from "../values/convert.ts";
import { enumNames, fieldEnumValues } from "../values/enums.ts";
import { asItIs } from "../values/leaf.ts";
import { scalarTypes } from "../values/scalars.ts";

// The union for a oneof in answers, with an object type for each member.

type OutputOf = (ref: TypeRef) => GraphQLOutputType;

/** The type with a member as its only field. Its fields are lazy, because types may be recursive. */
function memberType(member: Shape, model: Model, outputOf: OutputOf): GraphQLObjectType<Chosen, unknown> {
  const encode = encoderOf(member, passOn);
  return new GraphQLObjectType<Chosen, unknown>({
    name: model.memberTypeOf(member),
    fields: () => ({
      [member.name]: {
        type: outputOf(model.typeOf(member, "output")),
        ...documented(member.field, model),
        resolve: ({ value }) => encode(value),
      },
    }),
  });
}

/** The union type. Its values are members as protobuf-es stores them. */
function unionOf(choice: Choice, model: Model, outputOf: OutputOf): GraphQLUnionType {
  const typeNameOf = new Map(choice.members.map((member) => [member.field.localName, model.memberTypeOf(member)]));
  return new GraphQLUnionType({
    name: model.typeOf(choice, "output").name,
    description: describe(choice.oneof, model),
    types: choice.members.map((member) => memberType(member, model, outputOf)),
    resolveType: ({ case: chosen }: Chosen) => typeNameOf.get(chosen),
  });
}

// The types of a schema, created on demand: objects for responses, input objects for requests.

function resolverOf(part: Part): { resolve: (message: Message) => unknown } | Record<string, never> {
  if ("members" in part) return { resolve: chosenReader(part) };
  return fieldResolverOf(part);
}

function fieldResolverOf(shape: Shape): ReturnType<typeof resolverOf> {
  const encode = encoderOf(shape, passOn);
  const { localName } = shape.field;
  const isPlain = localName === shape.name && encode === asItIs;
  const defaultsAreOwn = shape.isAlwaysSet || shape.field.message !== undefined || isProto3(shape.field);
  // Without a resolver graphql-js reads the property itself, which is fastest.
  if (isPlain && defaultsAreOwn) return {};
  const read = readerOf(shape);
  return {
    resolve(message) {
      const value = read(message);
      return value === undefined ? undefined : encode(value);
    },
  };
}

function descOf(part: Part): DescField | DescOneof {
  return "members" in part ? part.oneof : part.field;
}

function isProto3(field: DescField): boolean {
  return field.parent.file.proto.syntax === "proto3";
}

/** The named type as the reference has it: in a list, and not null. */
function wrapped<Type extends GraphQLNamedInputType | GraphQLNamedOutputType>(
  { name, isList, isNonNull, areElementsNonNull }: TypeRef,
  named: Type | undefined,
) {
  if (named === undefined) throw new Error(`no type ${name}`);
  const inner = areElementsNonNull ? new GraphQLNonNull(named) : named;
  const type = isList ? new GraphQLList(inner) : named;
  return isNonNull ? new GraphQLNonNull(type) : type;
}

function typesInside(type: GraphQLNamedType): readonly GraphQLNamedType[] {
  if (isUnionType(type)) return type.getTypes();
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => getNamedType(field.type));
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    [field, ...field.args].map((typed) => getNamedType(typed.type as GraphQLType)),
  );
}

export class SchemaTypes {
  readonly #model: Model;
  readonly #edges: EdgesOf;
  readonly #hasRules: boolean;
  readonly #scalars = scalarTypes();
  readonly #outputs = new Map<string, GraphQLNamedOutputType>(this.#scalars);
  readonly #inputs = new Map<string, GraphQLNamedInputType>(this.#scalars);
  readonly #enums = new Map<string, GraphQLEnumType>();
  readonly #spelledOut = new Set<DescEnum>();

  /** @param hasRules whether descriptions of requests have the contract's rules */
  constructor(edges: EdgesOf, hasRules: boolean) {
    const { model } = edges;
    this.#edges = edges;
    this.#hasRules = hasRules;
    this.#model = model;
    const outputs = this.#heldBy(model.roots.map(({ operation }) => operation.output));
    const inputs = this.#heldBy(model.roots.map(({ operation }) => operation.input));
    this.#findSpelledOut([...outputs, ...inputs]);
    for (const message of outputs) this.#addOutput(message);
    for (const message of inputs) this.#addInput(message);
  }

  /** All named types that a schema with these root types uses, in the order in which graphql-js would find them, which recurs over them. */
  usedBy(roots: readonly GraphQLObjectType[]): readonly GraphQLNamedType[] {
    const used = new Set<GraphQLNamedType>();
    const left: GraphQLNamedType[] = roots.toReversed();
    for (let type = left.pop(); type !== undefined; type = left.pop()) {
      if (used.has(type)) continue;
      used.add(type);
      for (const inner of typesInside(type).toReversed()) if (!used.has(inner)) left.push(inner);
    }
    return [...used];
  }

  output(ref: TypeRef): GraphQLOutputType {
    return wrapped(ref, this.#outputs.get(ref.name) ?? this.#enums.get(ref.name));
  }

  input(ref: TypeRef): GraphQLInputType {
    return wrapped(ref, this.#inputs.get(ref.name) ?? this.#enums.get(ref.name));
  }

  arguments({ arguments: all }: { readonly arguments: readonly Argument[] }): GraphQLFieldConfigArgumentMap {
    return Object.fromEntries(
      all.map(({ name, type, part }) => [
        name,
        {
          type: this.input(type),
          ...(part === undefined ? {} : this.#documentedInput(part, type)),
        },
      ]),
    );
  }

  /** The messages and all messages in them. */
  #heldBy(messages: readonly DescMessage[]): ReadonlySet<DescMessage> {
    const types = new Set(messages);
    // The loop also visits types that it adds.
    for (const message of types) {
      for (const { value } of this.#model.shapes(message)) if (value.kind === "message") types.add(value.message);
    }
    return types;
  }

  /** Finds enums that must distinguish "unspecified" from absent. */
  #findSpelledOut(messages: readonly DescMessage[]): void {
    for (const message of messages) {
      for (const { field, value } of this.#model.shapes(message)) {
        if (value.kind === "enum" && spellsUnspecified(field)) this.#spelledOut.add(value.enum);
      }
    }
  }

  #addEnum(desc: DescEnum, name: string): void {
    if (this.#enums.has(name)) return;
    const { numberOf, unspecified } = enumNames(desc);
    const spelled = unspecified === undefined || !this.#spelledOut.has(desc) ? [] : ([[unspecified, 0]] as const);
    // Of several values with one number, the first.
    const byNumber = new Map(desc.values.toReversed().map((value) => [value.number, value]));
    const values = [...spelled, ...numberOf].map(([value, number]) => {
      const of = byNumber.get(number);
      return [value, of === undefined ? {} : documented(of, this.#model)] as const;
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
    const parts = this.#model.parts(message);
    if (this.#outputs.has(name) || shapes.length === 0) return;
    const fields = (): Record<string, GraphQLFieldConfig<Message, GraphqlContext>> => ({
      ...Object.fromEntries(
        parts.map((part) => [
          part.name,
          {
            type: this.output(this.#model.typeOf(part, "output")),
            ...documented(descOf(part), this.#model),
            ...resolverOf(part),
          },
        ]),
      ),
      ...Object.fromEntries(this.#edges.of(message).map((edge) => [edge.name, this.#edgeField(edge)])),
    });
    this.#outputs.set(name, new GraphQLObjectType({ name, description: describe(message, this.#model), fields }));
    for (const shape of shapes) {
      this.#addValue(shape);
      if (shape.arrangement === "map") this.#addOutputEntry(shape);
    }
    for (const part of parts) if ("members" in part) this.#addUnion(part);
  }

  #edgeField(edge: Edge): GraphQLFieldConfig<Message, GraphqlContext> {
    return {
      type: this.output(edge.type),
      ...(edge.kind === "list"
        ? documented(edge.edge.list.operation.method, this.#model)
        : { ...documented(edge.source, this.#model), description: `What \`${fieldName(edge.source)}\` refers to.` }),
      args: edge.kind === "list" ? this.arguments(edge) : {},
      resolve: edgeResolver(edge, this.#edges),
      // Limits of documents count edges.
      extensions: { edge: edge.kind },
    };
  }

  #addUnion(choice: Choice): void {
    const union = unionOf(choice, this.#model, (ref) => this.output(ref));
    this.#outputs.set(union.name, union);
  }

  #documentedInput(part: Part, { isNonNull }: TypeRef): ReturnType<typeof documentedInput> {
    return documentedInput(descOf(part), { isNonNull, hasRules: this.#hasRules }, this.#model);
  }

  #inputFields(parts: readonly Part[], direction: Direction = "input"): Record<string, GraphQLInputFieldConfig> {
    return Object.fromEntries(
      parts.map((part) => {
        const type = this.#model.typeOf(part, direction);
        return [part.name, { type: this.input(type), ...this.#documentedInput(part, type) }];
      }),
    );
  }

  #addInput(message: DescMessage): void {
    const name = this.#model.valueTypeOf({ kind: "message", message }, "input");
    const shapes = this.#model.shapes(message);
    const parts = this.#model.parts(message);
    if (this.#inputs.has(name) || shapes.length === 0) return;
    const description = describe(message, this.#model);
    const patch = this.#model.valueTypeOf({ kind: "message", message }, "patch");
    for (const [type, direction] of [[patch, "patch"] as const, [name, "input"] as const]) {
      const fields = () => this.#inputFields(parts, direction);
      if (type !== "") this.#inputs.set(type, new GraphQLInputObjectType({ name: type, description, fields }));
    }
    for (const shape of shapes) {
      this.#addValue(shape);
      if (shape.arrangement === "map") this.#addInputEntry(shape);
    }
    for (const part of parts) if ("members" in part) this.#addOneofInput(part);
  }

  #addOneofInput(choice: Choice): void {
    const { name } = this.#model.typeOf(choice, "input");
    const fields = () => this.#inputFields(choice.members);
    const description = describe(choice.oneof, this.#model);
    this.#inputs.set(name, new GraphQLInputObjectType({ name, description, isOneOf: true, fields }));
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
