// GraphQL for its server bindings.
export { maxTokens } from "./documents/document-limits.ts";
export { documentRule } from "./documents/document-rules.ts";
export { type FormatError } from "./errors.ts";
export { type Audience, audienceOf, olderStatus } from "./http/audience.ts";
export { graphqlPath } from "./http/endpoint.ts";
export { asksForSchema, checkMayReadSchema, errorFormat, httpContextOf } from "./http/schema-guard.ts";
export { errorAnswer, httpFault, nothingAt } from "./http/text-answers.ts";
export { type GraphqlContext } from "./schema/resolvers.ts";
export { serviceSchema } from "./schema/schema.ts";
