// What an operation answers: its message, the failures that its comment tells of, and problem details for all that is left.
import { canonicalCodes, type HttpBinding, type Operation } from "@roundtrip/contract";
import { isRequired } from "../../limits.ts";
import { answersNothing } from "../response-codec.ts";
import { json, unnamed } from "./bodies.ts";
import type { JsonSchema } from "./json-schema.ts";
import { problemBecause } from "./problem.ts";
import { failuresIn, proseAbove, summaryAndRest } from "./prose.ts";
import type { Schemas } from "./schemas.ts";

/** A message that is nothing but one operation's answer needs no name. */
function isOwnAnswer({ method, output }: Operation): boolean {
  return output.name === `${method.name}Response`;
}

function success(schemas: Schemas, operation: Operation, binding: HttpBinding): JsonSchema {
  if (answersNothing(operation)) return { "204": { description: "Done. There is no content." } };
  const { output } = operation;
  const field = output.fields.find(({ name }) => name === binding.responseBody);
  const whole = (): JsonSchema =>
    isOwnAnswer(operation) ? schemas.object(output, output.fields, isRequired) : schemas.message(output);
  const schema = field === undefined ? whole() : unnamed(schemas.field(field));
  const { summary } = summaryAndRest(proseAbove(field ?? output));
  return { "200": { description: summary === "" ? "OK" : `${summary}.`, content: json(schema) } };
}

/** By HTTP status: a request that can be wrong may be refused, and a comment may tell of more. */
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

/** The responses of an operation, by status. */
export function answers(schemas: Schemas, operation: Operation, binding: HttpBinding): JsonSchema {
  return {
    ...success(schemas, operation, binding),
    ...failures(operation),
    default: { $ref: "#/components/responses/problem" },
  };
}
