// How much one document may ask for, and how much a client asks for at most.

/** Larger than any document of our client, small enough to be parsed in milliseconds. */
export const maxTokens = 20_000;

/** Fields in a document with all fragments spread out: bounds alias and fragment bombs. */
export const maxSelections = 20_000;

/** Fields inside fields; introspection by the usual tools asks for about 15. */
export const maxDepth = 30;

/** A type that holds itself is selected this many times inside itself; an answer that goes deeper is refused. */
export const maxRecursion = 5;
