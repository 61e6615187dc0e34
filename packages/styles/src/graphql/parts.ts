// Parts of the GraphQL stack, for servers that are put together in another way, and for tests that need to know what a client asks for.
export { asksForAllOf } from "./documents/asked-depth.ts";
export { maxSelections, maxTokens } from "./documents/document-limits.ts";
export { formatError } from "./errors.ts";
