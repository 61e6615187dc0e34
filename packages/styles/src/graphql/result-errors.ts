// The errors of a result as they are sent, for servers whose library leaves this to them.
import { CallError } from "@roundtrip/contract";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import type { FormatError, RefusalReason } from "./errors.ts";

/** Notes in an error why GraphQL refuses the request. */
export function refusedBy(error: GraphQLError, reason: RefusalReason): GraphQLError {
  error.extensions["code"] = reason;
  return error;
}

/** Formats one error of a result. Outside resolvers, whose errors have a path, GraphQL refuses only variables. */
export function sentError(error: Error, format: FormatError): GraphQLFormattedError {
  if (!(error instanceof GraphQLError)) return format({ message: error.message }, error);
  const isRefusal = error.path === undefined && !(error.originalError instanceof CallError);
  if (isRefusal) error.extensions["code"] ??= "BAD_USER_INPUT" satisfies RefusalReason;
  return format(error.toJSON(), error);
}
