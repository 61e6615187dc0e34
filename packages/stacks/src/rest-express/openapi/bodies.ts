// How a body's schema stands in a document.
import type { JsonSchema } from "./json-schema.ts";

/** Content of the type that all bodies have. */
export function json(schema: JsonSchema): JsonSchema {
  return { "application/json": { schema } };
}

/** A schema whose description stands beside it. */
export function unnamed({ description: _description, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
