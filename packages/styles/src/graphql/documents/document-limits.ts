// Limits of documents that servers accept, and of documents that clients send.

/** Small enough to be parsed in milliseconds. */
export const maxTokens = 20_000;

/** Maximum number of fields with all fragments expanded: limits alias and fragment bombs. */
export const maxSelections = 20_000;

/** Maximum number of root fields. Each is a call, so this limits the concurrent handlers of one document. */
export const maxRootFields = 100;

/** Maximum number of aliased fields. Without an alias a repeated field is answered once. */
export const maxAliases = 100;

/** Maximum nesting of fields; usual introspection queries need about 15. */
export const maxDepth = 30;

/** Maximum nesting of a recursive type within itself. Clients refuse deeper answers. */
export const maxRecursion = 5;

/**
 * Clients select recursive types less deeply than {@link maxRecursion} if a document would exceed this number of fields. The rest of the server's
 * limit is for the calls themselves and the fields of their masks.
 */
export const clientSelections = maxSelections * 0.9;

/** The same for tokens. Each call sends the text, which has argument names too. */
export const clientTokens = maxTokens / 2;
