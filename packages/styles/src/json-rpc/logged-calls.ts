// JSON-RPC requests in logs: the body has the methods and their parameters.
import type { LoggedCalls } from "../basics/logged-calls.ts";
import { capturedCalls } from "../shared/http/captured-calls.ts";
import { jsonMediaType } from "../shared/http/json-body.ts";
import { rpcPath } from "./endpoint.ts";
import { answerDirectly } from "./serving/answer-request.ts";
import { jsonRpcService } from "./serving/json-rpc-service.ts";

export const loggedCalls: LoggedCalls = (contract) =>
  capturedCalls(contract, { path: rpcPath, mediaType: jsonMediaType }, (service) =>
    jsonRpcService(service, answerDirectly, { tls: undefined, examplesOf: async () => () => undefined }),
  );
