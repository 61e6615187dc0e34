// Bodies in an OpenAPI document.
import { anyType } from "../http-body.ts";
import { linesType } from "../streams/lines.ts";
import { octetsType } from "../streams/octets.ts";
import { eventsType } from "../streams/stream-form.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

/** Content of the media type of all bodies. */
export function json(schema: JsonSchema): JsonSchema {
  return { "application/json": { schema } };
}

/** A schema without its description, which is elsewhere in the document. */
export function unnamed({ description: _description, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** OpenAPI 3.1 has no keyword for messages of a stream (3.2 has `itemSchema`): describes text that decodes to a list. */
function stream(mediaType: string, message: JsonSchema, description: string): JsonSchema {
  const contentSchema = { type: "array", items: message };
  return { [mediaType]: { schema: { type: "string", description, contentMediaType: mediaType, contentSchema } } };
}

export function octets(description: string): JsonSchema {
  return { [octetsType]: { schema: { type: "string", format: "binary", description } } };
}

/** Content of a google.api.HttpBody. */
export function rawBytes(): JsonSchema {
  const description = "The bytes as they are, with their media type.";
  return { [anyType]: { schema: { type: "string", format: "binary", description } } };
}

export function requestLines(schema: JsonSchema): JsonSchema {
  return stream(linesType, schema, "A JSON object on each line.");
}

/** Content of a stream in grpc-gateway's form. */
export function wrappedLines(result: JsonSchema, error: JsonSchema): JsonSchema {
  const properties = { result, error };
  return stream("application/json", { type: "object", properties }, "On each line a result, or at the end an error.");
}

/** Content of a stream in the form of Google's APIs. */
export function arrayItems(schema: JsonSchema): JsonSchema {
  return { ...json({ type: "array", items: schema }), ...stream(eventsType, schema, "With the parameter alt=sse.") };
}

/** Content of a stream of answers. @param errorKey the key of an error in the last line. */
export function answerLines(schema: JsonSchema, errorKey: string): JsonSchema {
  const failed = `A stream that fails ends with a line of \`${errorKey}\` and problem details.`;
  const events = "An event for each JSON object. The last is `end`, or `error` with problem details.";
  return {
    ...stream(linesType, schema, `A JSON object on each line. ${failed}`),
    ...stream(eventsType, schema, events),
  };
}
