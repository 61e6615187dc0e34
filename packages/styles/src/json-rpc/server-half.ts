// JSON-RPC for its server bindings.
export { rpcPath } from "./endpoint.ts";
export { writeRefusal } from "./errors.ts";
export { answerDirectly, type AnswerRequest, errorResponse } from "./serving/answer-request.ts";
export { jsonRpcService } from "./serving/json-rpc-service.ts";
export { type RpcCalls } from "./serving/rpc-calls.ts";
export { missingMethod, type RpcMethods } from "./serving/rpc-methods.ts";
