// Converts CallErrors to GraphQL errors and back. The canonical code is `extensions.code`, beside the details; the path stays.
import { CallError, codeFromHttp, isCanonicalCode, type CanonicalCode } from "@roundtrip/contract";
import type { GraphQLFormattedError } from "graphql";
import { detailsFromJson, detailsToJson, record, text } from "../shared/error-details.ts";

/** An entry of `errors` in a response. Clients trust none of its members. */
export interface ErrorJson {
  readonly message?: unknown;
  readonly path?: readonly (string | number)[];
  readonly locations?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

// GraphQL itself refuses these (syntax, validation, variables) because of the caller. The names are Apollo Server's.
const refusalReasons = [
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "BAD_REQUEST",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED",
] as const;

/** Why GraphQL refuses a request before it calls a resolver. */
export type RefusalReason = (typeof refusalReasons)[number];

const callersFault: ReadonlySet<string> = new Set(refusalReasons);

/** The `extensions` of an error, without empty members. @param domain whose GraphQL's own reasons are */
export function extensionsOf({ code, details }: CallError, domain: string): Record<string, unknown> {
  const isOwn = details.domain === "" && callersFault.has(details.reason);
  return { code, ...detailsToJson(isOwn ? { ...details, domain } : details) };
}

/** The canonical code of GraphQL's own errors. Persisted queries are not supported, which is not an error of the caller. */
function refusalCode(code: string): CanonicalCode {
  return code === "PERSISTED_QUERY_NOT_SUPPORTED" ? "UNIMPLEMENTED" : "INVALID_ARGUMENT";
}

// Outside resolvers, whose errors have a path, only the request can be too deep: its document or its variables.
function isTooDeep(thrown: unknown, { path }: GraphQLFormattedError): boolean {
  return path === undefined && thrown instanceof RangeError;
}

function thrownIn(error: unknown): unknown {
  if (error instanceof Error && "originalError" in error && error.originalError !== undefined) {
    return thrownIn(error.originalError);
  }
  return error;
}

/** The first of many places in a document tell enough. */
const maxLocations = 10;

/** Formats an error of a result. Takes the error as the server would send it, and the original. */
export type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/**
 * Formats errors by their canonical code, without the message of unexpected ones. A formatted error has the {@link RefusalReason} as its code.
 * @param domain that of GraphQL's own errors
 */
export const formatErrorOf =
  (domain: string): FormatError =>
  (formatted, error) => {
    const thrown = thrownIn(error);
    const { code } = formatted.extensions ?? {};
    if (isTooDeep(thrown, formatted)) {
      const tooDeep = new CallError("INVALID_ARGUMENT", "the document or its variables go too deep");
      return { message: tooDeep.message, extensions: extensionsOf(tooDeep, domain) };
    }
    if (!(thrown instanceof CallError) && typeof code === "string" && callersFault.has(code)) {
      const refusal = new CallError(refusalCode(code), formatted.message, { reason: code });
      const { message } = refusal;
      const places = formatted.locations?.slice(0, maxLocations);
      return { ...formatted, message, ...(places && { locations: places }), extensions: extensionsOf(refusal, domain) };
    }
    const callError = CallError.from(thrown);
    return { ...formatted, message: callError.message, extensions: extensionsOf(callError, domain) };
  };

function codeOf(code: unknown, status: number): CanonicalCode {
  if (isCanonicalCode(code)) return code;
  if (typeof code === "string" && callersFault.has(code)) return refusalCode(code);
  return status === 200 ? "UNKNOWN" : codeFromHttp(status);
}

/** The CallError of a server's error. Field names keep GraphQL's spelling. */
export function callErrorOf({ message, path, locations, extensions }: ErrorJson, status: number): CallError {
  const given = record(extensions);
  // Not every server names a reason: a place in the document and no field that failed is an error of the document itself.
  const isOfDocument = Array.isArray(locations) && path === undefined;
  const { code = isOfDocument ? ("GRAPHQL_VALIDATION_FAILED" satisfies RefusalReason) : undefined } = given;
  const reason = typeof code === "string" && callersFault.has(code) ? { reason: code } : {};
  return new CallError(codeOf(code, status), text(message), detailsFromJson({ ...reason, ...given }));
}
