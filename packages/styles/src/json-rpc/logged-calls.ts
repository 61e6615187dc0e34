// JSON-RPC requests in logs: the body has the methods and their parameters.
import { jsonMediaType } from "../shared/call-headers.ts";
import type { LoggedCalls } from "../basics/style.ts";
import { capturedCalls } from "../shared/http/captured-calls.ts";
import { rpcPath } from "./messages.ts";
import { answerDirectly } from "./exchange.ts";
import { jsonRpcService } from "./server.ts";

export const loggedCalls: LoggedCalls = (contract) =>
  capturedCalls(contract, { path: rpcPath, mediaType: jsonMediaType }, (service) =>
    jsonRpcService(service, answerDirectly, {
      tls: undefined,
      sharedPort: undefined,
      examplesOf: async () => () => undefined,
    }),
  );
