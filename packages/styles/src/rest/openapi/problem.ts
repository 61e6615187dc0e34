// The shared response of failed operations.
import { canonicalCodes } from "@roundtrip/contract";
import { deadlineHeader, longestTimeoutMs } from "../../shared/http/http-deadline.ts";
import { problemType } from "../errors.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

export const problemName = "Problem";

export const problemSchema: JsonSchema = {
  type: "object",
  description: "Problem details (RFC 9457) with the canonical code, which says more than the HTTP status.",
  properties: {
    type: { type: "string", format: "uri-reference" },
    title: { type: "string", description: "The HTTP status in words." },
    status: { type: "integer", description: "The HTTP status." },
    detail: { type: "string", description: "What went wrong, for people." },
    code: { type: "string", enum: Object.keys(canonicalCodes), description: "What went wrong, for programs." },
    reason: { type: "string", description: "What went wrong in this domain, in capitals." },
    domain: { type: "string", description: "Whose reason it is." },
    metadata: { type: "object", additionalProperties: { type: "string" }, description: "What the reason is about." },
    violations: {
      type: "array",
      description: "The fields that broke a rule.",
      items: {
        type: "object",
        properties: {
          field: { type: "string", description: "The path of the field.", examples: ["order.lines[0].count"] },
          description: { type: "string" },
          reason: { type: "string", description: "The rule.", examples: ["string.max_len"] },
        },
        required: ["field", "description", "reason"],
      },
    },
  },
  required: ["type", "title", "status", "detail", "code"],
};

export const problemResponse: JsonSchema = {
  description: "The request failed. The body contains the reason.",
  content: { [problemType]: { schema: { $ref: `#/components/schemas/${problemName}` } } },
};

export function problemBecause(description: string): JsonSchema {
  return { $ref: "#/components/responses/problem", description };
}

export const timeoutParameter: JsonSchema = {
  name: deadlineHeader,
  in: "header",
  description:
    "How long the caller waits, in milliseconds. After that the answer is 504 with the code DEADLINE_EXCEEDED.",
  schema: { type: "integer", minimum: 0, maximum: longestTimeoutMs, examples: [5000] },
};
