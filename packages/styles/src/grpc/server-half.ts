// gRPC for its server bindings.
export { detailsTrailer, statusOf, type Failure, type GrpcStatus } from "./errors.ts";
export { answerClientStream, answerUnary } from "./server/answer-single.ts";
export { answerBidiStream, answerServerStream } from "./server/answer-stream.ts";
export {
  type AnswerStream,
  type AnsweredCall,
  type RequestStream,
  type ServedMethod,
  type SingleAnswer,
} from "./server/answered-call.ts";
export { standardMethods, type StandardMethod } from "./standard/standard-methods.ts";
export { lateRequest, pathOf, prefixBytes, streamsRequests } from "./wire-form.ts";
