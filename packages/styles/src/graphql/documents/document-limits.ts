// How much one document may ask for, and how much a client asks for at most.

/** Small enough to be parsed in milliseconds. */
export const maxTokens = 20_000;

/** Fields in a document with all fragments spread out: bounds alias and fragment bombs. */
export const maxSelections = 20_000;

/** Calls that one document makes, and so how many handlers it has at work at once: each field at its root is a call of its own. */
export const maxRootFields = 100;

/** Fields under a name of the caller's own: without one a field is answered once, however often it is asked for. */
export const maxAliases = 100;

/** Fields inside fields; introspection by the usual tools asks for about 15. */
export const maxDepth = 30;

/** A type that holds itself is selected this many times inside itself at most; an answer that goes deeper is refused. */
export const maxRecursion = 5;

/**
 * A client goes less deep into types that hold themselves than {@link maxRecursion} where all fields of a document would be more than
 * this. What a server takes beyond it is for the calls themselves and for the fields of their masks.
 */
export const clientSelections = maxSelections * 0.9;

/** The same for the text, which travels with each call, and has the arguments' names as well. */
export const clientTokens = maxTokens / 2;
