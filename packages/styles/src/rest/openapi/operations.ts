// Converts operations to OpenAPI operations: parameters, body and answers of one binding.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { requiresValue } from "@roundtrip/contract/field-rules";
import { urlKindOf } from "../requests/url-field.ts";
import { answers, type BoundOperation } from "./answers.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { OpenApiPath, PathParameter } from "./paths.ts";
import { camel, proseAbove, summaryAndRest, withoutFailures } from "../../shared/json-schema/prose.ts";
import { besideSchema, requestBody, unbound } from "./request-body.ts";
import { described, type Schemas } from "../../shared/json-schema/schemas.ts";

/** A parameter has its own description, and a URL has no null. */
function bare({ description: _description, type, ...schema }: JsonSchema): JsonSchema {
  if (type === undefined) return schema;
  return { type: Array.isArray(type) ? (type[0] as string) : type, ...schema };
}

/** The example for a comment without one: the smallest identifier that the rules allow. */
function exampleOf({ type, exclusiveMinimum, examples }: JsonSchema): JsonSchema {
  return type === "integer" && examples === undefined ? { examples: [Number(exclusiveMinimum ?? 0) + 1] } : {};
}

function pathParameter(schemas: Schemas, { name, field, whole, rest }: PathParameter): JsonSchema {
  const note = rest ? "May contain slashes." : "";
  const schema = whole ? bare(schemas.field(field)) : { type: "string" };
  return {
    name,
    in: "path",
    required: true,
    ...besideSchema(field, note),
    schema: { ...schema, ...exampleOf(schema) },
  };
}

/** The fields that a mask may name; empty unless the message is flat. */
function maskable(message: DescMessage | undefined): readonly string[] {
  const fields = message?.fields ?? [];
  return fields.some((field) => urlKindOf(field) === "nested") ? [] : fields.map((field) => field.jsonName);
}

function maskSchema(message: DescMessage | undefined): JsonSchema {
  const names = maskable(message);
  return { type: "array", items: { type: "string", ...(names.length === 0 ? {} : { enum: names }) } };
}

/** A field that a URL can carry, with its parameter name. */
interface QueryField {
  readonly name: string;
  readonly field: DescField;
}

/** Nested messages become dotted names, except recursive ones. */
function queryFields(
  fields: readonly DescField[],
  prefix: string,
  seen: ReadonlySet<DescMessage>,
): readonly QueryField[] {
  return fields.flatMap((field): readonly QueryField[] => {
    const name = prefix + field.jsonName;
    const kind = urlKindOf(field);
    if (kind === "none") return [];
    if (kind !== "nested") return [{ name, field }];
    const { message } = field;
    if (message === undefined || seen.has(message)) return [];
    return queryFields(message.fields, `${name}.`, new Set([...seen, message]));
  });
}

function queryParameter(
  schemas: Schemas,
  { name, field }: QueryField,
  masked: (field: DescField) => DescMessage | undefined,
): JsonSchema {
  const isNested = name !== field.jsonName;
  const required = !isNested && requiresValue(field) ? { required: true } : {};
  const about = { name, in: "query", ...required, ...besideSchema(field) };
  if (field.fieldKind === "message" && field.message.typeName === "google.protobuf.FieldMask") {
    return { ...about, style: "form", explode: false, schema: maskSchema(masked(field)) };
  }
  return { ...about, schema: bare(schemas.field(field)) };
}

/** The tag of a service's operations: `CustomerService` is `Customer`. */
export function tagOf({ method }: Operation): string {
  return method.parent.name.replace(/(?<=.)Service$/, "");
}

export function tag(operation: Operation): JsonSchema {
  return { name: tagOf(operation), ...described(operation.method.parent) };
}

export function openApiOperation(
  schemas: Schemas,
  bound: BoundOperation,
  path: OpenApiPath,
  operationId: string,
): JsonSchema {
  const { operation, binding } = bound;
  const { summary, rest } = summaryAndRest(withoutFailures(proseAbove(operation.method)));
  const inQuery = binding.body === "*" ? [] : unbound(operation, binding).filter(({ name }) => name !== binding.body);
  const changed = operation.input.fields.find(({ name }) => name === binding.body)?.message;
  const masked = (field: DescField) => (field === operation.readMask ? operation.output : changed);
  const parameters = [
    ...path.parameters.map((parameter) => pathParameter(schemas, parameter)),
    ...queryFields(inQuery, "", new Set([operation.input])).map((field) => queryParameter(schemas, field, masked)),
  ];
  return {
    operationId,
    tags: [tagOf(operation)],
    ...(summary === "" ? {} : { summary }),
    ...(rest === "" ? {} : { description: rest }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(schemas, bound),
    responses: answers(schemas, bound),
  };
}

/** `GetCustomer` as `getCustomer`. */
export function operationIdOf({ method }: Operation): string {
  return camel(method.name.slice(0, 1).toLowerCase() + method.name.slice(1));
}
