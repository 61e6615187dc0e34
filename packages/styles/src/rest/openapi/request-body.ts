// The request fields in the body, and their schema.
import type { DescField } from "@bufbuild/protobuf";
import { isOneJsonValue, type HttpBinding, type Operation } from "@roundtrip/contract";
import { requiresValue } from "@roundtrip/contract/field-rules";
import { requestHttpBody } from "../http-body.ts";
import { requestOctets } from "../streams/octets.ts";
import { fieldsAlong } from "../requests/url-field.ts";
import type { BoundOperation } from "./answers.ts";
import { json, octets, rawBytes, requestLines, unnamed } from "./bodies.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { proseAbove, withoutExample } from "../../shared/json-schema/prose.ts";
import type { Schemas } from "../../shared/json-schema/schemas.ts";

/** The description without its example, which the schema has. */
export function besideSchema(desc: DescField, note = ""): JsonSchema {
  const description = [withoutExample(proseAbove(desc)), note].filter((text) => text !== "").join(" ");
  return description === "" ? {} : { description };
}

/** The request's top-level fields that are not in the path. */
export function unbound({ input }: Operation, { path }: HttpBinding): readonly DescField[] {
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
  const notes = inPath.map((inner) => inner.map(({ jsonName }) => jsonName).join("."));
  const note = notes.map((path) => `\`${path}\` is that of the path; the body may leave it out.`).join(" ");
  // Fields that a request requires may be missing in answers, so the component cannot require them.
  const given = (field.fieldKind === "message" ? field.message.fields : []).filter(
    (inner) => requiresValue(inner) && !inPath.some(([first]) => first === inner),
  );
  const required = given.length === 0 ? {} : { required: given.map(({ jsonName }) => jsonName) };
  const schema = unnamed(schemas.field(field));
  // Requests with unknown fields are refused, but answers may gain fields. Well-known types are not components.
  const closed = "$ref" in schema ? { unevaluatedProperties: false } : {};
  const content = contentOf(bound, { ...schema, ...required, ...closed });
  // If the path contains a part of the message, the body may be missing.
  const mustBeSent = given.length > 0 || (requiresValue(field) && inPath.length === 0);
  return { ...besideSchema(field, note), ...(mustBeSent ? { required: true } : {}), content };
}

export function requestBody(schemas: Schemas, bound: BoundOperation): JsonSchema {
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
  const required = fields.some(requiresValue) ? { required: true } : {};
  return { requestBody: { ...required, content: contentOf(bound, schema) } };
}
