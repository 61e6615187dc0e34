// GraphQL for its server bindings.
export { askedOperation } from "./documents/asked-operation.ts";
export { maxTokens } from "./documents/document-limits.ts";
export { documentRule } from "./documents/document-rules.ts";
export { documentStore } from "./documents/document-store.ts";
export { maxCachedTexts, TextCache } from "./documents/text-cache.ts";
export { type FormatError } from "./errors.ts";
export { answerTypeFor, type AnswerType } from "./http/answer-type.ts";
export { type Audience, audienceOf, olderStatus } from "./http/audience.ts";
export { graphqlPath } from "./http/endpoint.ts";
export { refusedAnswer } from "./http/refused-answer.ts";
export { onlyByPost } from "./http/refusal.ts";
export { paramsOf, type RequestParams, withoutEmptyParams } from "./http/request-params.ts";
export { asksForSchema, checkMayReadSchema, errorFormat, httpContextOf } from "./http/schema-guard.ts";
export { errorAnswer, httpFault, nothingAt } from "./http/text-answers.ts";
export { refusedBy, sentError } from "./result-errors.ts";
export { type GraphqlContext } from "./schema/resolvers.ts";
export { serviceSchema } from "./schema/schema.ts";
