// A CallError as a GraphQL error, and back: the canonical code is `extensions.code`, the details stand beside it, the path is kept.
import { CallError, codeFromHttp, isCanonicalCode, type CanonicalCode, type FieldViolation } from "@roundtrip/contract";
import type { GraphQLFormattedError } from "graphql";
import { detailsFromJson, detailsToJson, record, text } from "../shared/error-details-json.ts";

/** An entry of a response's `errors` as a client reads it: nothing in it is certain. */
export interface ErrorJson {
  readonly message?: unknown;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

// What GraphQL itself refuses (syntax, validation, variables) is the caller's fault. The names are Apollo Server's, which the field knows.
const refusalReasons = [
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "BAD_REQUEST",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED",
] as const;

/** Why GraphQL itself refuses a request. */
export type RefusalReason = (typeof refusalReasons)[number];

const callersFault: ReadonlySet<string> = new Set(refusalReasons);

/** `extensions` of an error: only what there is to say. */
export function extensionsOf({ code, details }: CallError): Record<string, unknown> {
  return { code, ...detailsToJson(details) };
}

// A variable is called as the caller calls it; all of a mutation's request is one, `input`, which is no field.
const missingVariable =
  /^Variable "\$(?!input")(\w+)" of (?:required type "[^"]+" was not provided|non-null type "[^"]+" must not be null)\.$/;
const missingArgument =
  /^Field "\w+" argument "(?!input")(\w+)" of type "[^"]+" is required, but it was not provided\.$/;
const missingField = /(?: at "\w+((?:\.\w+|\[\d+\])*)")?; Field "(\w+)" of required type "[^"]+" was not provided\.$/;

/**
 * What a caller left out, with the words that the contract's own rules have for it. graphql-js says it in its message only, for example
 * `Variable "$input" got invalid value {} at "input.customer"; Field "id" of required type "Int!" was not provided.`
 */
function missingIn(message: string): readonly FieldViolation[] {
  const [, argument] = missingVariable.exec(message) ?? missingArgument.exec(message) ?? [];
  const [, above = "", name] = missingField.exec(message) ?? [];
  const field = argument ?? (name === undefined ? undefined : `${above}.${name}`.slice(1));
  return field === undefined ? [] : [{ field, description: "value is required", reason: "required" }];
}

// Apollo Server and graphql-js distinguish limits from other refusals in their messages only.
const limitReached = /^Syntax Error: Document contains more th[ae][tn] \d+ tokens|^Operation batching disabled/;

/** What GraphQL's own refusals are called here. Persisted queries are no fault of their caller's: there are none. */
function refusalCode(code: string, message: string): CanonicalCode {
  if (code === "PERSISTED_QUERY_NOT_SUPPORTED") return "UNIMPLEMENTED";
  return limitReached.test(message) ? "RESOURCE_EXHAUSTED" : "INVALID_ARGUMENT";
}

// Outside a resolver, which would have a path, only what the request brings can be deep: its document, or its variables as they are read.
function isTooDeep(thrown: unknown, { path }: GraphQLFormattedError): boolean {
  return path === undefined && thrown instanceof RangeError;
}

function thrownIn(error: unknown): unknown {
  if (error instanceof Error && "originalError" in error && error.originalError !== undefined) {
    return thrownIn(error.originalError);
  }
  return error;
}

/** How an error of a result is sent: the error as a server would send it, and what it was made of. */
export type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/**
 * What resolvers threw by its canonical code; of anything unforeseen, no word reaches the caller.
 * @param formatted says by `extensions.code` why GraphQL itself refuses a request: see {@link RefusalReason}
 */
export const formatError: FormatError = (formatted, error) => {
  const thrown = thrownIn(error);
  const { code } = formatted.extensions ?? {};
  if (isTooDeep(thrown, formatted)) {
    const tooDeep = new CallError("INVALID_ARGUMENT", "the document or its variables go too deep");
    return { message: tooDeep.message, extensions: extensionsOf(tooDeep) };
  }
  if (!(thrown instanceof CallError) && typeof code === "string" && callersFault.has(code)) {
    const violations = missingIn(formatted.message);
    const refusal = new CallError(refusalCode(code, formatted.message), formatted.message, {
      reason: code,
      domain: "graphql",
      violations,
    });
    return { ...formatted, extensions: extensionsOf(refusal) };
  }
  const callError = CallError.from(thrown);
  return { ...formatted, message: callError.message, extensions: extensionsOf(callError) };
};

function codeOf(code: unknown, message: string, status: number): CanonicalCode {
  if (isCanonicalCode(code)) return code;
  if (typeof code === "string" && callersFault.has(code)) return refusalCode(code, message);
  return status === 200 ? "UNKNOWN" : codeFromHttp(status);
}

/** The CallError that a server's error stands for, with fields as GraphQL spells them. */
export function callErrorOf({ message, extensions }: ErrorJson, status: number): CallError {
  const given = record(extensions);
  const shown = text(message);
  return new CallError(codeOf(given["code"], shown, status), shown, detailsFromJson(given));
}
