// The contract as an OpenRPC document: https://spec.open-rpc.org
import type { DescField } from "@bufbuild/protobuf";
import { hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import { type Contract, isOneJsonValue, type Operation } from "@roundtrip/contract";
import { mustBeSent } from "@roundtrip/contract/schema-rules";
import { rpcCodeOf } from "./errors.ts";
import { methodName, onlyParam, rpcPath } from "./messages.ts";
import { type JsonSchema, Schemas } from "../shared/json-schema/schemas.ts";
import {
  failuresIn,
  proseAbove,
  summaryAndRest,
  titleAndVersion,
  withoutExample,
  withoutFailures,
} from "../shared/json-schema/prose.ts";

const ofAll =
  "JSON-RPC 2.0 over HTTP: POST to the server's URL. A field that has its default value (empty, zero or false) is left out of results. " +
  "An error has its canonical code in `data.code`, and details of google.rpc in `data.details`.";

/** A content descriptor of a parameter: its description is beside the schema. */
function param(schemas: Schemas, field: DescField): JsonSchema {
  const { description: _description, ...schema } = schemas.sent(field);
  const description = withoutExample(proseAbove(field));
  return {
    name: field.jsonName,
    ...(description === "" ? {} : { description }),
    required: mustBeSent(field),
    schema,
  };
}

function params(schemas: Schemas, { input }: Operation): readonly JsonSchema[] {
  if (isOneJsonValue(input)) return [{ name: onlyParam, required: false, schema: schemas.message(input) }];
  // A Struct or Any has no fixed names.
  return hasCustomJsonRepresentation(input) ? [] : input.fields.map((field) => param(schemas, field));
}

/** The errors that a method's comment documents; several of one number are one entry. */
function errors({ method, input }: Operation): readonly JsonSchema[] {
  const messages = new Map<number, string[]>();
  const documented = failuresIn(proseAbove(method));
  const all = [
    ...(input.fields.length === 0
      ? []
      : [{ code: "INVALID_ARGUMENT", when: "the request breaks a rule or cannot be read" } as const]),
    ...documented,
  ];
  for (const { code, when } of all) {
    const number = rpcCodeOf(code);
    messages.set(number, [...(messages.get(number) ?? []), `${code}: ${when}.`]);
  }
  return [...messages].map(([code, texts]) => ({ code, message: texts.join(" ") }));
}

function methodOf(schemas: Schemas, operation: Operation): JsonSchema {
  const { summary, rest } = summaryAndRest(withoutFailures(proseAbove(operation.method)));
  const known = errors(operation);
  return {
    name: methodName(operation),
    ...(summary === "" ? {} : { summary }),
    ...(rest === "" ? {} : { description: rest }),
    tags: [{ name: operation.method.parent.name }],
    paramStructure: "by-name",
    params: params(schemas, operation),
    result: { name: "result", schema: schemas.message(operation.output) },
    ...(known.length === 0 ? {} : { errors: known }),
  };
}

/** The document as a value, without streams, which JSON-RPC does not support. */
export function openRpc(contract: Contract): JsonSchema {
  const operations = contract.operations.filter(({ kind }) => kind === "unary");
  const schemas = new Schemas([]);
  const methods = operations.map((operation) => methodOf(schemas, operation));
  return {
    openrpc: "1.3.2",
    info: { ...titleAndVersion(operations[0]?.method.parent.file.proto.package ?? ""), description: ofAll },
    // Relative to the address of the document.
    servers: [{ name: "this server", url: rpcPath }],
    methods,
    components: { schemas: schemas.components() },
  };
}

export function openRpcText(contract: Contract): string {
  return `${JSON.stringify(openRpc(contract), undefined, 2)}\n`;
}
