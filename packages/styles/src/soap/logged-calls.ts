// SOAP requests in logs: the envelope has the operation and its request.
import type { LoggedCalls } from "../basics/style.ts";
import { capturedCalls } from "../shared/http/captured-calls.ts";
import { soap11 } from "./envelope.ts";
import { soapPath } from "./schema/names.ts";
import { soapService } from "./server.ts";

export const loggedCalls: LoggedCalls = (contract) =>
  capturedCalls(contract, { path: soapPath, mediaType: soap11.mediaType }, (service) =>
    soapService(service, { tls: undefined, sharedPort: undefined, examplesOf: async () => () => undefined }),
  );
