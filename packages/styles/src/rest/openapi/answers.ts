// Bodies, answers and errors in the OpenAPI document.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import {
  canonicalCodes,
  type Contract,
  type HttpBinding,
  isAnswer,
  type Operation,
  readAnswerLike,
} from "@roundtrip/contract";
import type { RestDialect } from "../dialects.ts";
import { answerHttpBody, answerOctets, anyType, octetsType } from "../raw-bodies.ts";
import { answersNothing, createdResource, type CreatedResource } from "../response-codec.ts";
import { linesType } from "../streams/lines.ts";
import { errorKeyOf, eventsType } from "../streams/stream-form.ts";
import { deadlineHeader, longestTimeoutMs } from "../../shared/call-headers.ts";
import { unnamed } from "../../shared/json-schema/composition.ts";
import type { JsonSchema, Schemas } from "../../shared/json-schema/schemas.ts";
import { failuresIn, proseAbove, summaryAndRest, withoutExample } from "../../shared/json-schema/prose.ts";

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

function problemBecause(description: string): JsonSchema {
  return { $ref: "#/components/responses/problem", description };
}

export const timeoutParameter: JsonSchema = {
  name: deadlineHeader,
  in: "header",
  description:
    "How long the caller waits, in milliseconds. After that the answer is 504 with the code DEADLINE_EXCEEDED.",
  schema: { type: "integer", minimum: 0, maximum: longestTimeoutMs, examples: [5000] },
};

/** Content of the media type of all bodies. */
export function json(schema: JsonSchema): JsonSchema {
  return { "application/json": { schema } };
}

/** OpenAPI 3.1 has no keyword for messages of a stream (3.2 has `itemSchema`): describes text that decodes to a list. */
function stream(mediaType: string, items: JsonSchema, description: string): JsonSchema {
  const contentSchema = { type: "array", items };
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
function wrappedLines(result: JsonSchema, error: JsonSchema): JsonSchema {
  const properties = { result, error };
  return stream("application/json", { type: "object", properties }, "On each line a result, or at the end an error.");
}

/** Content of a stream in the form of Google's APIs. */
function arrayItems(schema: JsonSchema): JsonSchema {
  return { ...json({ type: "array", items: schema }), ...stream(eventsType, schema, "With the parameter alt=sse.") };
}

/** Content of a stream of answers. @param errorKey the key of an error in the last line. */
function answerLines(schema: JsonSchema, errorKey: string): JsonSchema {
  const failed = `A stream that fails ends with a line of \`${errorKey}\` and problem details.`;
  const events = "An event for each JSON object. The last is `end`, or `error` with problem details.";
  return {
    ...stream(linesType, schema, `A JSON object on each line. ${failed}`),
    ...stream(eventsType, schema, events),
  };
}

// The responses of an operation: its message, the failures in its comment, and problem details for all others.

export interface BoundOperation {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly binding: HttpBinding;
  readonly dialect: RestDialect;
}

/** The message for an answer's schema: that of the read operation with the same answer, if any. */
function answered({ operations }: Contract, { output, sideEffects }: Operation): DescMessage {
  const own = isAnswer(output) && sideEffects !== "none";
  return (own ? readAnswerLike(output, operations) : undefined) ?? output;
}

/** The description of an answer, from its comment or that of its only field. `A book.` becomes `The book.` */
function described(desc: DescMessage | DescField): string {
  const { summary } = summaryAndRest(withoutExample(proseAbove(desc)));
  const [only, ...more] = desc.kind === "message" ? desc.fields : [];
  if (summary === "") return only === undefined || more.length > 0 ? "OK" : described(only);
  return `${summary.replace(/^An? /, "The ")}.`;
}

function location({ binding }: CreatedResource): JsonSchema {
  const description = `The path of what was created: ${binding.path.source}.`;
  return { description, required: true, schema: { type: "string", format: "uri-reference" } };
}

const brokenOff = "The bytes as they are. A stream that fails ends without the body's end.";

function streamContent(schema: JsonSchema, { operation, binding, dialect }: BoundOperation): JsonSchema {
  if (dialect.streams === "wrapped") return wrappedLines(schema, { $ref: `#/components/schemas/${problemName}` });
  if (dialect.streams === "array") return arrayItems(schema);
  const lines = answerLines(schema, errorKeyOf(operation, binding));
  const bytes = answerOctets(operation, binding) === undefined ? {} : octets(brokenOff);
  return { ...bytes, ...lines };
}

function success(schemas: Schemas, bound: BoundOperation): JsonSchema {
  const { contract, operation, binding, dialect } = bound;
  if (answersNothing(operation) && dialect.hasOwnStatuses)
    return { "204": { description: "Done. There is no content." } };
  const { output } = operation;
  if (binding.method === "HEAD") return { "200": { description: "Done. An answer to HEAD has no content." } };
  const field = output.fields.find(({ name }) => name === binding.responseBody);
  const schema = field === undefined ? schemas.message(answered(contract, operation)) : unnamed(schemas.field(field));
  const description = described(field ?? output);
  if (answerHttpBody(operation, binding) !== undefined) return { "200": { description, content: rawBytes() } };
  if (operation.kind === "server_streaming") {
    return { "200": { description, content: streamContent(schema, bound) } };
  }
  const content = json(schema);
  const created = dialect.hasOwnStatuses ? createdResource(contract, operation, binding) : undefined;
  if (created === undefined) return { "200": { description, content } };
  const text = /^The .*\.$/.test(description) ? `${description.slice(0, -1)} that was created.` : "Created.";
  return { "201": { description: text, headers: { Location: location(created) }, content } };
}

/** Failures by HTTP status: INVALID_ARGUMENT if the request has fields, and those in the comment. */
function failures({ method, input }: Operation): JsonSchema {
  const why = new Map<number, string[]>();
  const add = (code: keyof typeof canonicalCodes, when: string): void => {
    const { http } = canonicalCodes[code];
    why.set(http, [...(why.get(http) ?? []), `${code}: ${when}.`]);
  };
  if (input.fields.length > 0) add("INVALID_ARGUMENT", "the request breaks a rule or cannot be read");
  for (const { code, when } of failuresIn(proseAbove(method))) add(code, when);
  return Object.fromEntries([...why].map(([status, reasons]) => [String(status), problemBecause(reasons.join(" "))]));
}

export function answers(schemas: Schemas, bound: BoundOperation): JsonSchema {
  return {
    ...success(schemas, bound),
    ...failures(bound.operation),
    default: { $ref: "#/components/responses/problem" },
  };
}
