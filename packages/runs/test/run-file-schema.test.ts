// The schema of run.json and the types of a run are written by hand, for other programs and for this one. They list the same fields, of the same types.
import { readFileSync } from "node:fs";
import { parseSync, Visitor, type TSType } from "oxc-parser";
import { describe, expect, it } from "vitest";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

function textOf(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

interface Declared {
  /** `name: type`, with a question mark after the name of a field that may be absent. */
  readonly fields: readonly string[];
  readonly extended: readonly string[];
}

const plain: Readonly<Record<string, string>> = {
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBooleanKeyword: "boolean",
  TSNullKeyword: "null",
  TSArrayType: "array",
  TSTypeOperator: "array",
  TSTypeLiteral: "object",
};

/** The JSON types of a TypeScript type, and its literals. Types of other names are objects. */
function jsonTypesOf(type: TSType): readonly string[] {
  if (type.type === "TSUnionType") return type.types.flatMap(jsonTypesOf);
  if (type.type === "TSLiteralType" && type.literal.type === "Literal") return [JSON.stringify(type.literal.value)];
  return [plain[type.type] ?? "object"];
}

const alternatives = (types: readonly string[]): string => [...new Set(types)].toSorted().join(" | ");

/** The interfaces in a source. */
function interfacesIn(path: string): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  new Visitor({
    TSInterfaceDeclaration({ id, body, extends: bases }) {
      const fields = body.body.flatMap((member) => {
        if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") return [];
        const types =
          member.typeAnnotation === null || member.typeAnnotation === undefined
            ? []
            : jsonTypesOf(member.typeAnnotation.typeAnnotation);
        return [`${member.key.name}${member.optional ? "?" : ""}: ${alternatives(types)}`];
      });
      const extended = bases.flatMap(({ expression }) => (expression.type === "Identifier" ? [expression.name] : []));
      found.set(id.name, { fields, extended });
    },
  }).visit(parseSync(path, textOf(path)).program);
  return found;
}

const types = new Map(["run-facts", "block-facts"].flatMap((name) => [...interfacesIn(`../src/${name}.ts`)]));

/** Older files lack these; readers add them. */
const added = new Set(["StackIds.style", "StackIds.server", "StackIds.client", "Arm.stackTitle"]);

function fieldsOfType(name: string): readonly string[] {
  const { fields = [], extended = [] } = types.get(name) ?? {};
  const listed = fields.map((field) => {
    const [key = "", type = ""] = field.split(": ");
    return added.has(`${name}.${key}`) ? `${key}?: ${type}` : field;
  });
  return [...extended.flatMap(fieldsOfType), ...listed];
}

const run = JSON.parse(textOf("../../../schema/run.v1.schema.json")) as Schema;

/** The part of the schema at a path of members and, for lists, their items. */
function schemaAt(path: string): Schema {
  return path.split(".").reduce<Schema>((schema, name) => {
    const member = schema.properties?.[name] ?? {};
    return member.items ?? member;
  }, run);
}

function typesOf({ type = [], enum: values, const: value }: Schema): readonly string[] {
  if (values !== undefined) return values.map((one) => (one === null ? "null" : JSON.stringify(one)));
  if (value !== undefined) return [JSON.stringify(value)];
  return [type].flat().map((one) => (one === "integer" ? "number" : one));
}

function fieldsOf({ properties = {}, required = [] }: Schema): readonly string[] {
  return Object.entries(properties).map(([name, schema]) => {
    return `${name}${required.includes(name) ? "" : "?"}: ${alternatives(typesOf(schema))}`;
  });
}

describe("the schema of run.json lists the fields of", () => {
  it.each([
    ["Block", "blocks"],
    ["ProcessEvidence", "blocks.client"],
    ["ProcessEvidence", "blocks.server"],
    ["TcpEvidence", "blocks.tcp"],
    ["TcpEnd", "blocks.tcp.client"],
    ["TcpEnd", "blocks.tcp.server"],
    ["MachineEvidence", "blocks.machine"],
    ["FirstCall", "firstCalls"],
    ["WarmUp", "warmUps"],
    ["Warning", "warnings"],
    ["Capacity", "capacities"],
    ["CapacityProbe", "capacities.probes"],
    ["ClosedLoopCell", "capacities.closedLoop"],
    ["RoundTime", "roundTimes"],
    ["LeftOutCells", "leftOut"],
    ["Verification", "verification"],
    ["TargetFacts", "environment.targets"],
    ["Generator", "environment.generators"],
    ["Environment", "environment"],
    ["Arm", "arms"],
  ])("%s in %s, and requires those that are always there", (type, path) => {
    expect(fieldsOf(schemaAt(path)).toSorted()).toEqual(fieldsOfType(type).toSorted());
  });
});
