// The shared response of failed operations, in each dialect.
import { canonicalCodes } from "@roundtrip/contract";
import { deadlineHeader, longestTimeoutMs } from "../../shared/http/http-deadline.ts";
import type { RestDialect } from "../dialects/dialect.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

export const problemName = "Problem";

const problemSchema: JsonSchema = {
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

const message: JsonSchema = { type: "string", description: "What went wrong, for people." };
const details: JsonSchema = {
  type: "array",
  description: "What went wrong, for programs: google.rpc.ErrorInfo, google.rpc.BadRequest and others.",
  items: { type: "object", properties: { "@type": { type: "string" } }, required: ["@type"] },
};

const statusSchema: JsonSchema = {
  type: "object",
  description: "A google.rpc.Status.",
  properties: {
    code: { type: "integer", minimum: 1, maximum: 16, description: "The number of the canonical code." },
    message,
    details,
  },
  required: ["code", "message", "details"],
};

const googleErrorSchema: JsonSchema = {
  type: "object",
  description: "An error of Google's APIs (AIP-193).",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "integer", description: "The HTTP status." },
        message,
        status: { type: "string", enum: Object.keys(canonicalCodes), description: "The canonical code." },
        details,
      },
      required: ["code", "message", "status"],
    },
  },
  required: ["error"],
};

export const errorSchemas: Readonly<Record<RestDialect["name"], JsonSchema>> = {
  standard: problemSchema,
  "grpc-gateway": statusSchema,
  google: googleErrorSchema,
};

export function problemResponse({ errorType }: RestDialect): JsonSchema {
  return {
    description: "The request failed. The body contains the reason.",
    content: { [errorType]: { schema: { $ref: `#/components/schemas/${problemName}` } } },
  };
}

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
