// An example document for each operation: selects everything, and sends the example request.
import { create, type Message } from "@bufbuild/protobuf";
import type { ExampleOf } from "@roundtrip/contract";
import { requiresValue } from "@roundtrip/contract/field-rules";
import { parse, print } from "graphql";
import { codecsOf } from "../values/codec.ts";
import { enumNames } from "../values/enum-names.ts";
import { typeText, type Model, type RootField } from "../schema/model.ts";
import { questionOf, type Question } from "../documents/question.ts";
import type { Shape } from "../schema/shape.ts";

export interface Example {
  readonly name: string;
  readonly root: RootField["root"];
  readonly document: string;
  /** As JSON. */
  readonly variables: string;
}

const values: Readonly<Record<string, unknown>> = {
  Int: 1,
  UInt32: 1,
  Int64: "1",
  UInt64: "1",
  Double: 1,
  Boolean: true,
  String: "World",
  Base64: "",
  DateTime: "2026-01-31T12:00:00Z",
  Duration: "1s",
  JSON: {},
};

function valueOf(model: Model, { value, arrangement, key }: Shape, above: number): unknown {
  const one = (): unknown => {
    if (value.kind === "leaf") return value.leaf.isList ? [] : values[value.leaf.type];
    if (value.kind === "enum") return [...enumNames(value.enum).numberOf.keys()][0];
    if (value.kind === "fields") return [];
    return value.kind === "presence" ? true : requiredOf(model, model.shapes(value.message), above + 1);
  };
  if (arrangement === "one") return one();
  return arrangement === "list" ? [one()] : [{ key: values[key?.type ?? "String"], value: one() }];
}

/** Example values of required fields, a few levels deep. */
function requiredOf(model: Model, shapes: readonly Shape[], above: number): Record<string, unknown> {
  const asked = above > 4 ? [] : shapes.filter(({ field }) => requiresValue(field));
  return Object.fromEntries(asked.map((shape) => [shape.name, valueOf(model, shape, above)]));
}

/** The example request as variables, with values of required fields that it lacks. */
function variablesOf(model: Model, question: Question, request: Message): Record<string, unknown> {
  const { root } = question;
  const required = requiredOf(model, model.shapes(root.operation.input), 0);
  let given: Record<string, unknown> = {};
  try {
    given = question.variables(request);
  } catch {
    // GraphQL cannot carry some value of the request.
  }
  if (root.root !== "mutation") return { ...required, ...given };
  return root.arguments.length === 0 ? {} : { input: { ...required, ...(given["input"] as object | undefined) } };
}

export function examplesOf(model: Model, exampleOf: ExampleOf): readonly Example[] {
  const codecOf = codecsOf(model);
  return model.roots.map((root) => {
    const { input, output } = root.operation;
    const question = questionOf(root, model, { input: codecOf(input), output: codecOf(output) }, undefined);
    const given = root.arguments.map(({ name, type }) => `$${name}: ${typeText(type)}`).join(", ");
    const head = `${root.root} ${root.name}${given === "" ? "" : `(${given})`}`;
    const request = exampleOf(root.operation) ?? create(input);
    const { text, fragments } = question.asked(request);
    return {
      name: root.name,
      root: root.root,
      document: print(parse(`${head} { ${text} }${fragments}`)),
      variables: JSON.stringify(variablesOf(model, question, request), null, 2),
    };
  });
}
