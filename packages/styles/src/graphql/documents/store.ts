// Stores of parsed documents and written answers, by text.
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from "graphql";
import { maxTokens } from "./document-limits.ts";
import { documentRule, refusedBy } from "./document-rules.ts";
import type { RefusalReason } from "../errors.ts";

// A cache by the text of documents, which callers write.

/** Maximum length of all cached texts together, in UTF-16 code units. A parsed document takes some hundred times the memory of its text. */
const maxCharacters = 2 ** 17;

/** The least that a text counts for, because each entry takes memory of its own. */
const leastCharacters = 2 ** 7;

/** Maximum number of cached texts. */
export const maxCachedTexts = maxCharacters / leastCharacters;

/** Empties itself when it is full. A text beyond its size is not kept. */
export class TextCache<Value> {
  readonly #known = new Map<string, Value>();
  readonly #onEmptied: () => void;
  #characters = 0;

  /** @param onEmptied is called each time that the cache empties itself. */
  constructor(onEmptied: () => void = () => undefined) {
    this.#onEmptied = onEmptied;
  }

  get(text: string): Value | undefined {
    return this.#known.get(text);
  }

  /** Returns whether the text is kept. */
  set(text: string, value: Value): boolean {
    const characters = Math.max(text.length, leastCharacters);
    if (characters > maxCharacters) return false;
    if (this.#known.has(text)) return true;
    this.#characters += characters;
    if (this.#characters > maxCharacters) {
      this.#known.clear();
      this.#onEmptied();
      this.#characters = characters;
    }
    this.#known.set(text, value);
    return true;
  }
}

// Parses and validates documents once, for servers whose library does it for every request.

/** A valid document, or the errors of an invalid one, each with its {@link RefusalReason}. */
export type CheckedDocument = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

function invalid(thrown: unknown, reason: RefusalReason): CheckedDocument {
  const { message } = thrown as Error;
  const error = thrown instanceof GraphQLError ? thrown : new GraphQLError(message, { originalError: thrown as Error });
  return { errors: [refusedBy(error, reason)] };
}

/** Shorter documents need no separate check of their limits: all rules together take milliseconds. */
const judgedCharacters = 1_024;

/** The errors of a long document beyond the limits. Checked first, because other rules compare each field with each other. */
function excessIn(schema: GraphQLSchema, query: string, document: DocumentNode): readonly GraphQLError[] {
  if (query.length <= judgedCharacters) return [];
  return validate(schema, document, [documentRule]).map((error) => refusedBy(error, "GRAPHQL_VALIDATION_FAILED"));
}

function check(schema: GraphQLSchema, query: string): CheckedDocument {
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens });
  } catch (thrown) {
    return invalid(thrown, "GRAPHQL_PARSE_FAILED");
  }
  try {
    const excess = excessIn(schema, query, document);
    if (excess.length > 0) return { errors: excess };
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

/**
 * The errors of documents beyond the limits, for servers whose library validates documents itself. Undefined for documents within the limits, and for
 * those that cannot be parsed, which the library reports.
 */
export function documentLimits(schema: GraphQLSchema): (query: string) => readonly GraphQLError[] | undefined {
  const known = new TextCache<true>();
  return (query) => {
    if (query.length <= judgedCharacters || known.get(query) === true) return undefined;
    try {
      const excess = excessIn(schema, query, parse(query, { maxTokens }));
      if (excess.length > 0) return excess;
      known.set(query, true);
    } catch {
      // Not GraphQL.
    }
    return undefined;
  };
}
