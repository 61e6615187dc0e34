// Parts of the GraphQL stack, for servers that are put together in another way.
export { maxSelections, maxTokens } from "./document-limits.ts";
export { formatError } from "./errors.ts";
