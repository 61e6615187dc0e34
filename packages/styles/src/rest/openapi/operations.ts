// Operations in the OpenAPI document, with their parameters and request bodies.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { type HttpBinding, isDeprecated, isOneJsonValue, type Operation } from "@roundtrip/contract";
import { mustBeSent } from "@roundtrip/contract/schema-rules";
import { answers, type BoundOperation, json, octets, rawBytes, requestLines } from "./answers.ts";
import type { OpenApiPath, PathParameter } from "./paths.ts";
import { requestHttpBody, requestOctets } from "../raw-bodies.ts";
import { fieldsAlong, listedQueryFields, maxListedQueryFields, urlKindOf } from "../requests/url-field.ts";
import { type JsonSchema, described, type Schemas } from "../../shared/json-schema/schemas.ts";
import { type NameOf, unnamed } from "../../shared/json-schema/composition.ts";
import { camel, proseAbove, summaryAndRest, withoutExample, withoutFailures } from "../../shared/json-schema/prose.ts";

/** The description without its example, which the schema has. */
function besideSchema(desc: DescField, note = ""): JsonSchema {
  const description = [withoutExample(proseAbove(desc)), note].filter((text) => text !== "").join(" ");
  return description === "" ? {} : { description };
}

/** The request's top-level fields that are not in the path. */
function unbound({ input }: Operation, { path }: HttpBinding): readonly DescField[] {
  const bound = new Set(path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  return input.fields.filter((field) => !bound.has(field.name));
}

function contentOf({ operation, binding }: BoundOperation, schema: JsonSchema): JsonSchema {
  if (operation.kind !== "client_streaming") return json(schema);
  const bytes = requestOctets(operation, binding) === undefined ? {} : octets("The bytes as they are.");
  return { ...bytes, ...requestLines(schema) };
}

/** A field as the whole body, without its fields in the path. */
function fieldAsBody(schemas: Schemas, field: DescField, bound: BoundOperation): JsonSchema {
  const { operation, binding } = bound;
  const inPath = binding.path.variables.flatMap(({ fieldPath }) => {
    const [first, ...inner] = fieldsAlong(operation.input, fieldPath) ?? [];
    return first === field && inner.length > 0 ? [inner] : [];
  });
  const notes = inPath.map((inner) => inner.map(schemas.nameOf).join("."));
  const note = notes.map((path) => `\`${path}\` is that of the path; the body may leave it out.`).join(" ");
  const isElsewhere = (inner: DescField): boolean => inPath.some(([first]) => first === inner);
  const schema = unnamed(schemas.sent(field, { isElsewhere }));
  // If the path contains a part of the message, the body may be missing.
  const mustBeThere = schema["required"] !== undefined || (mustBeSent(field) && inPath.length === 0);
  return {
    ...besideSchema(field, note),
    ...(mustBeThere ? { required: true } : {}),
    content: contentOf(bound, schema),
  };
}

function requestBody(schemas: Schemas, bound: BoundOperation): JsonSchema {
  const { operation, binding } = bound;
  if (binding.body === "") return {};
  if (requestHttpBody(operation, binding) !== undefined) return { requestBody: { content: rawBytes() } };
  const field = operation.input.fields.find(({ name }) => name === binding.body);
  if (field !== undefined) return { requestBody: fieldAsBody(schemas, field, bound) };
  if (isOneJsonValue(operation.input) && binding.path.variables.length === 0) {
    return { requestBody: { content: contentOf(bound, schemas.message(operation.input)) } };
  }
  const fields = unbound(operation, binding);
  const schema = schemas.body(operation.input, fields);
  // A missing body means an empty message.
  const required = fields.some(mustBeSent) ? { required: true } : {};
  return { requestBody: { ...required, content: contentOf(bound, schema) } };
}

// Converts operations to OpenAPI operations: parameters, body and answers of one binding.

/** A parameter has its own description, and a URL has no null. */
function bare(ofField: JsonSchema): JsonSchema {
  const { type, ...schema } = unnamed(ofField);
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
function queryFieldsOf(
  { input }: Operation,
  fields: readonly DescField[],
  nameOf: NameOf,
): { readonly listed: readonly QueryField[]; readonly isCut: boolean } {
  const { paths, isCut } = listedQueryFields(fields, [input]);
  const listed = paths
    .map((path) => ({ name: path.map(nameOf).join("."), field: path.at(-1) as DescField }))
    .filter(({ field }) => urlKindOf(field) !== "none");
  return { listed, isCut };
}

const unlisted = `Takes more query parameters than the ${maxListedQueryFields} that are looked at here.`;

function queryParameter(
  schemas: Schemas,
  { name, field }: QueryField,
  masked: (field: DescField) => DescMessage | undefined,
): JsonSchema {
  const isNested = name.includes(".");
  const required = !isNested && mustBeSent(field) ? { required: true } : {};
  const about = { name, in: "query", ...required, ...besideSchema(field) };
  if (field.fieldKind === "message" && field.message.typeName === "google.protobuf.FieldMask") {
    return { ...about, style: "form", explode: false, schema: maskSchema(masked(field)) };
  }
  return { ...about, schema: bare(schemas.sent(field)) };
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
  const { listed, isCut } = queryFieldsOf(operation, inQuery, schemas.nameOf);
  const description = [rest, ...(isCut ? [unlisted] : [])].filter((text) => text !== "").join("\n\n");
  const parameters = [
    ...path.parameters.map((parameter) => pathParameter(schemas, parameter)),
    ...listed.map((field) => queryParameter(schemas, field, masked)),
  ];
  return {
    operationId,
    tags: [tagOf(operation)],
    ...(summary === "" ? {} : { summary }),
    ...(description === "" ? {} : { description }),
    ...(isDeprecated(operation.method) ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(schemas, bound),
    responses: answers(schemas, bound),
  };
}

/** `GetCustomer` as `getCustomer`. */
export function operationIdOf({ method }: Operation): string {
  return camel(method.name.slice(0, 1).toLowerCase() + method.name.slice(1));
}
