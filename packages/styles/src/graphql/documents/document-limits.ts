// Limits of documents that servers accept, and of documents that clients send.

/** Small enough to be parsed in milliseconds. */
export const maxTokens = 20_000;

/** Maximum number of fields with all fragments expanded: limits alias and fragment bombs. */
export const maxSelections = 20_000;

/** Maximum number of root fields. Each is a call, so this limits the concurrent handlers of one document. */
export const maxRootFields = 100;

/** Maximum number of aliased fields. Without an alias a repeated field is answered once. */
export const maxAliases = 100;

/** Maximum length of an alias, which answers repeat for each item of a list. */
export const maxAliasCharacters = 200;

/** Maximum length of other names: GraphQL looks for names of the schema that are like an unknown one. */
export const maxNameCharacters = 2_000;

/**
 * Maximum number of fields, fragment spreads, arguments and variables that a document has again in the same place: GraphQL compares each with each other,
 * and selections of fields in the same way.
 */
export const maxRepeats = 100;

/** Maximum number of fragments of a document that has two of them in one selection: GraphQL compares each with each other. */
export const maxFragments = 200;

/** Maximum number of `__schema` and `__type` fields, and of aliases in them. Each may ask for the whole schema. */
export const maxIntrospections = 5;

/** Maximum nesting of fields; usual introspection queries need about 15. */
export const maxDepth = 30;

/** Maximum number of edges of which each leads on from the one before. */
export const maxEdgeDepth = 8;

/** How many items a page is taken to have that a document asks for without their number, or with a variable. */
export const usualPage = 10;

/** Maximum number of calls behind the edges of a document; with {@link maxEdgeKeys}, this limits what cycles of edges cost. */
export const maxEdgeCalls = 1_000;

/** Maximum number of keys that the edges of a document follow, and of items in the lists that they lead to. */
export const maxEdgeKeys = 10_000;

/** Maximum number of these calls at the same time. */
export const maxEdgeCallsAtOnce = 16;

/** Maximum number of errors for edges beyond these limits. Later edges are null without an error of their own. */
export const maxEdgeErrors = 10;

/** Maximum nesting of a recursive type within itself. Clients refuse deeper answers. */
export const maxRecursion = 5;

/**
 * Clients select recursive types less deeply than {@link maxRecursion} if a document would exceed this number of fields. The rest of the server's
 * limit is for the calls themselves and the fields of their masks.
 */
export const clientSelections = maxSelections * 0.9;

/** The same for tokens. Each call sends the text, which has argument names too. */
export const clientTokens = maxTokens / 2;
