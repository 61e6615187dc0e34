// What of a request travels in the body, and how a document tells it.
import type { DescField } from "@bufbuild/protobuf";
import { isOneJsonValue, type HttpBinding, type Operation } from "@roundtrip/contract";
import { isRequired, mustBeGiven } from "@roundtrip/contract/field-rules";
import { requestOctets } from "../streams/octets.ts";
import { fieldsAlong } from "../requests/url-field.ts";
import type { BoundOperation } from "./answers.ts";
import { json, octets, requestLines, unnamed } from "./bodies.ts";
import type { JsonSchema } from "./json-schema.ts";
import { proseAbove, withoutExample } from "./prose.ts";
import type { Schemas } from "./schemas.ts";

/** A description for a place beside the schema, which has the example. */
export function besideSchema(desc: DescField, note = ""): JsonSchema {
  const description = [withoutExample(proseAbove(desc)), note].filter((text) => text !== "").join(" ");
  return description === "" ? {} : { description };
}

/** The request's top-level fields that the path does not take. */
export function unbound({ input }: Operation, { path }: HttpBinding): readonly DescField[] {
  const bound = new Set(path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  return input.fields.filter((field) => !bound.has(field.name));
}

function contentOf({ operation, binding }: BoundOperation, schema: JsonSchema): JsonSchema {
  if (operation.kind !== "client_streaming") return json(schema);
  const bytes = requestOctets(operation, binding) === undefined ? {} : octets("The bytes as they are.");
  return { ...bytes, ...requestLines(schema) };
}

/** A field that is the whole body, without what of it is in the path. */
function fieldAsBody(schemas: Schemas, field: DescField, bound: BoundOperation): JsonSchema {
  const { operation, binding } = bound;
  const inPath = binding.path.variables.flatMap(({ fieldPath }) => {
    const [first, ...inner] = fieldsAlong(operation.input, fieldPath) ?? [];
    return first === field && inner.length > 0 ? [inner] : [];
  });
  const notes = inPath.map((inner) => inner.map(({ jsonName }) => jsonName).join("."));
  const note = notes.map((path) => `\`${path}\` is that of the path; the body may leave it out.`).join(" ");
  // Answers may leave out what a request has to give: the component cannot say it for both.
  const given = (field.fieldKind === "message" ? field.message.fields : []).filter(
    (inner) => mustBeGiven(inner) && !inPath.some(([first]) => first === inner),
  );
  const required = given.length === 0 ? {} : { required: given.map(({ jsonName }) => jsonName) };
  const schema = unnamed(schemas.field(field));
  // What the contract does not know is refused here, while answers may gain fields. What is no component is a well-known type.
  const closed = "$ref" in schema ? { unevaluatedProperties: false } : {};
  const content = contentOf(bound, { ...schema, ...required, ...closed });
  // A message that the path has a part of is there without a body.
  const mustBeSent = given.length > 0 || (isRequired(field) && inPath.length === 0);
  return { ...besideSchema(field, note), ...(mustBeSent ? { required: true } : {}), content };
}

/** The body of a request; nothing for a binding without one. */
export function requestBody(schemas: Schemas, bound: BoundOperation): JsonSchema {
  const { operation, binding } = bound;
  if (binding.body === "") return {};
  const field = operation.input.fields.find(({ name }) => name === binding.body);
  if (field !== undefined) return { requestBody: fieldAsBody(schemas, field, bound) };
  if (isOneJsonValue(operation.input) && binding.path.variables.length === 0) {
    return { requestBody: { content: contentOf(bound, schemas.message(operation.input)) } };
  }
  const fields = unbound(operation, binding);
  const schema = schemas.body(operation.input, fields);
  // No body is an empty message.
  const required = fields.some(mustBeGiven) ? { required: true } : {};
  return { requestBody: { ...required, content: contentOf(bound, schema) } };
}
