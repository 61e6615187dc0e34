// GraphQL for its server bindings.

export { askedOperation } from "./documents/document-rules.ts";
export { maxTokens } from "./documents/document-limits.ts";
export { documentRule } from "./documents/document-rules.ts";
export { documentStore } from "./documents/store.ts";
export { maxCachedTexts, TextCache } from "./documents/store.ts";
export { type FormatError } from "./errors.ts";
export { answerTypeFor, type AnswerType } from "./http.ts";
export { type Audience, audienceOf, olderStatus } from "./http.ts";
export { graphqlPath } from "./index.ts";
export { refusedAnswer } from "./exchange.ts";
export { onlyByPost } from "./http.ts";
export { paramsOf, type RequestParams, withoutEmptyParams } from "./http.ts";
export { asksForSchema, checkMayReadSchema, errorFormat, httpContextOf } from "./exchange.ts";
export { errorAnswer, httpFault, nothingAt } from "./exchange.ts";
export { refusedBy, sentError } from "./documents/document-rules.ts";
export { type GraphqlContext } from "./schema/resolvers.ts";
export { serviceSchema } from "./schema/schema.ts";
