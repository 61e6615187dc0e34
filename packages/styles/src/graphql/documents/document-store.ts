// Parses and validates documents once, for servers whose library does it for every request.
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from "graphql";
import type { RefusalReason } from "../errors.ts";
import { refusedBy } from "../result-errors.ts";
import { maxTokens } from "./document-limits.ts";
import { documentRule } from "./document-rules.ts";
import { TextCache } from "./text-cache.ts";

/** A valid document, or the errors of an invalid one, each with its {@link RefusalReason}. */
export type CheckedDocument = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

function invalid(thrown: unknown, reason: RefusalReason): CheckedDocument {
  const { message } = thrown as Error;
  const error = thrown instanceof GraphQLError ? thrown : new GraphQLError(message, { originalError: thrown as Error });
  return { errors: [refusedBy(error, reason)] };
}

function check(schema: GraphQLSchema, query: string): CheckedDocument {
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens });
  } catch (thrown) {
    return invalid(thrown, "GRAPHQL_PARSE_FAILED");
  }
  try {
    const errors = validate(schema, document, [...specifiedRules, documentRule]);
    if (errors.length === 0) return { document };
    return { errors: errors.map((error) => refusedBy(error, "GRAPHQL_VALIDATION_FAILED")) };
  } catch (thrown) {
    return invalid(thrown, "GRAPHQL_VALIDATION_FAILED");
  }
}

/** Checks documents within the limits of `document-limits.ts`. Keeps the valid ones if `isCached`. */
export function documentStore(schema: GraphQLSchema, isCached = true): (query: string) => CheckedDocument {
  if (!isCached) return (query) => check(schema, query);
  const known = new TextCache<CheckedDocument>();
  return (query) => {
    const before = known.get(query);
    if (before !== undefined) return before;
    const made = check(schema, query);
    if ("document" in made) known.set(query, made);
    return made;
  };
}
