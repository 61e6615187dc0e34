// gRPC for its server bindings.
export { detailsTrailer, fittingError, statusOf, type Failure, type GrpcStatus } from "./errors.ts";
export { MessageReader } from "./message-reader.ts";
export { acceptedEncodings, checkEncoding, ofCaller } from "./message-encodings.ts";
export { metadataHeaders, receivedMetadata } from "../shared/metadata-headers.ts";
export { answerClientStream, answerUnary } from "./server/answer-single.ts";
export { answerBidiStream, answerServerStream } from "./server/answer-stream.ts";
export {
  cutPart,
  type AnswerStream,
  type AnsweredCall,
  type RequestStream,
  type ServedMethod,
  type SingleAnswer,
} from "./server/answered-call.ts";
export { standardMethods, type StandardMethod } from "./standard/standard-methods.ts";
export { errorTrailers, okTrailers } from "./status-headers.ts";
export { timeoutMsIn } from "../shared/timeout-text.ts";
export { answerHeaders, framed, isGrpc, lateRequest, pathOf, prefixBytes, streamsRequests } from "./wire-form.ts";
