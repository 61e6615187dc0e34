// How a reader of GraphQL that knows nothing but the schema takes an answer: what is not null is never null, and an enum has the values it has.
import type { Contract } from "@roundtrip/contract";
import { loadStack } from "@roundtrip/stacks";
import {
  buildSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from "graphql";
import { isDeepStrictEqual } from "node:util";

const typeofScalar: Readonly<Record<string, string>> = {
  Int: "number",
  Float: "number",
  String: "string",
  Boolean: "boolean",
  Int64: "string",
  UInt64: "string",
};

/** Whether all members of a JSON value are in another one. */
function hasAll(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return isDeepStrictEqual(whole, part);
  return Object.entries(part).every(([name, value]) => hasAll((whole as Record<string, unknown>)[name], value));
}

/** @param expected as ProtoJSON, for JSON, which has it too. */
function check(type: GraphQLOutputType, value: unknown, path: string, expected: unknown): void {
  if (isNonNullType(type)) {
    if (value === null) throw new Error(`${path} is null`);
    check(type.ofType, value, path, expected);
    return;
  }
  if (value === null) return;
  if (isListType(type)) {
    if (!Array.isArray(value)) throw new Error(`${path} is no list`);
    for (const [index, item] of (value as readonly unknown[]).entries())
      check(type.ofType, item, path, Array.isArray(expected) ? (expected as readonly unknown[])[index] : undefined);
    return;
  }
  const shown = JSON.stringify(value);
  if (isEnumType(type) && !type.getValues().some(({ name }) => name === value)) throw new Error(`${path} is ${shown}`);
  const form = isScalarType(type) ? typeofScalar[type.name] : undefined;
  if (form !== undefined && typeof value !== form) throw new Error(`${path} is ${shown}`);
  if (isScalarType(type) && type.name === "JSON" && expected !== undefined && !hasAll(value, expected))
    throw new Error(`${path} is ${shown}`);
  if (!isObjectType(type)) return;
  const fields = type.getFields();
  for (const [name, inner] of Object.entries(value as object)) {
    const field = fields[name];
    const part = (expected as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    if (field !== undefined) check(field.type, inner, `${path}.${name}`, part);
  }
}

/** The schema that a server of a contract has. */
export async function schemaOf(contract: Contract): Promise<GraphQLSchema> {
  const [document] = await (await loadStack("graphql-apollo")).documents(contract);
  return buildSchema(document?.text ?? "");
}

/** Returns what is wrong with the body of an answer, by the schema of a contract; undefined when nothing is. */
export async function strictReader(
  contract: Contract,
): Promise<(body: string, expected?: unknown) => string | undefined> {
  const schema = await schemaOf(contract);
  return (body, expected) => {
    const { data } = JSON.parse(body) as { readonly data: Readonly<Record<string, unknown>> };
    try {
      for (const [name, value] of Object.entries(data)) {
        const root = [schema.getQueryType(), schema.getMutationType()].find(
          (type) => type?.getFields()[name] !== undefined,
        );
        const field = root?.getFields()[name];
        if (field !== undefined) check(field.type, value, name, expected);
      }
      return undefined;
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };
}
