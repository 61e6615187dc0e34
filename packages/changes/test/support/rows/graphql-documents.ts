// Documents that GraphQL clients from before may have: variables for arguments or for members of their inputs, and fragments on the types of answers.
// graphql-js says which of them the schema after still takes.
import type { Contract, Operation } from "@roundtrip/contract";
import {
  getNamedType,
  GraphQLNonNull,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  parse,
  validate,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from "graphql";
import { schemaOf } from "../plain-graphql.ts";

const schemas = new WeakMap<Contract, Promise<GraphQLSchema>>();

function knownSchemaOf(contract: Contract): Promise<GraphQLSchema> {
  const known = schemas.get(contract) ?? schemaOf(contract);
  schemas.set(contract, known);
  return known;
}

/** The selection of a type: its fields, and those of its fields, in fragments that name the types. */
function selection(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  const composites = isUnionType(named) ? named.getTypes() : isObjectType(named) ? [named] : [];
  if (composites.length === 0) return "";
  const fragments = composites.map((composite) => {
    const fields = Object.values(composite.getFields()).filter((field) => depth < 3 || selection(field.type) === "");
    return `... on ${composite.name} { ${fields.map((field) => field.name + selection(field.type, depth + 1)).join(" ")} }`;
  });
  return ` { __typename ${fragments.join(" ")} }`;
}

class Variables {
  readonly declared: string[] = [];

  /** A variable, or an input that is written out to a depth, with variables in it. */
  of(type: GraphQLInputType, depth: number): string {
    const inner = isNonNullType(type) ? type.ofType : type;
    if (depth > 0 && isListType(inner)) return `[${this.of(inner.ofType, depth)}]`;
    if (depth > 0 && isInputObjectType(inner)) {
      const members = Object.values(inner.getFields());
      // Of a oneof, one member is given, and that is not null.
      const chosen = inner.isOneOf ? members.slice(0, 1) : members;
      const typed = chosen.map((member) => [member.name, inner.isOneOf ? required(member.type) : member.type] as const);
      return `{ ${typed.map(([name, of]) => `${name}: ${this.of(of, depth - 1)}`).join(", ")} }`;
    }
    const name = `$v${this.declared.length}`;
    this.declared.push(`${name}: ${String(type)}`);
    return name;
  }
}

function required(type: GraphQLInputType): GraphQLInputType {
  return isNonNullType(type) ? type : new GraphQLNonNull(type);
}

type Root = readonly [kind: "query" | "mutation", field: GraphQLField<unknown, unknown>];

function rootOf(schema: GraphQLSchema, { method: { localName } }: Operation): Root | undefined {
  for (const [kind, type] of [
    ["query", schema.getQueryType()],
    ["mutation", schema.getMutationType()],
  ] as const) {
    const field = type?.getFields()[localName];
    if (field !== undefined) return [kind, field];
  }
  return undefined;
}

function inBrackets(texts: readonly string[]): string {
  return texts.length > 0 ? `(${texts.join(", ")})` : "";
}

function documentsOf([kind, field]: Root, direction: "sent" | "received"): readonly string[] {
  const whole = selection(field.type);
  const answer = direction === "sent" && whole !== "" ? " { __typename }" : whole;
  return (direction === "sent" ? [0, 1, 2, 3] : [0]).map((depth) => {
    const variables = new Variables();
    const given = field.args.map(({ name, type }) => `${name}: ${variables.of(type, depth)}`);
    return `${kind}${inBrackets(variables.declared)} { ${field.name}${inBrackets(given)}${answer} }`;
  });
}

/** What graphql-js says of the first document of an operation that the schema before takes and the schema after refuses; undefined for none. */
export async function failingDocument(
  { before, after }: { readonly before: Contract; readonly after: Contract },
  operation: Operation,
  direction: "sent" | "received",
): Promise<string | undefined> {
  const [older, newer] = await Promise.all([knownSchemaOf(before), knownSchemaOf(after)]);
  const root = rootOf(older, operation);
  for (const document of root === undefined ? [] : documentsOf(root, direction)) {
    const [wrong] = validate(older, parse(document));
    if (wrong !== undefined) throw new Error(`${document}: ${wrong.message}`);
    const [error] = validate(newer, parse(document));
    if (error !== undefined) return `${document}: ${error.message}`;
  }
  return undefined;
}
