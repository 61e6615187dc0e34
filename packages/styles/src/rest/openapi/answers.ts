// The responses of an operation: its message, the failures in its comment, and problem details for all others.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import {
  canonicalCodes,
  isAnswer,
  readAnswerLike,
  type Contract,
  type HttpBinding,
  type Operation,
} from "@roundtrip/contract";
import { createdResource, type CreatedResource } from "../answers/created.ts";
import { answerOctets } from "../streams/octets.ts";
import { answerHttpBody } from "../http-body.ts";
import { answersNothing } from "../answers/response-codec.ts";
import { errorKeyOf } from "../streams/stream-form.ts";
import type { RestDialect } from "../dialects/dialect.ts";
import { answerLines, arrayItems, json, octets, rawBytes, unnamed, wrappedLines } from "./bodies.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { problemBecause, problemName } from "./problem.ts";
import { failuresIn, proseAbove, summaryAndRest, withoutExample } from "../../shared/json-schema/prose.ts";
import type { Schemas } from "../../shared/json-schema/schemas.ts";

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

/** The content of a stream of messages with this schema. */
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
