// Parts of the GraphQL style, for servers with another composition, and for tests of a client's selections.
export { asksForAllOf } from "./documents/asked-depth.ts";
export { maxSelections, maxTokens } from "./documents/document-limits.ts";
export { formatError } from "./errors.ts";
export { graphqlModel, type Model, typeText } from "./schema/model.ts";
export type { Direction } from "./schema/names.ts";
export { sdlOf } from "./schema/schema.ts";
export { enumNames } from "./values/enums.ts";
