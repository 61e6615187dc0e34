// Bytes that no REST client sends.
import type { ProtocolMisuse } from "@roundtrip/contract/conformance";
import { httpMisuses, httpRespelled } from "../shared/http/http-misuse.ts";
import { restClient } from "./calling/rest-client.ts";

export const misuses: ProtocolMisuse = {
  protocol: "rest",
  respelled: httpRespelled(restClient),
  exchanges: httpMisuses(restClient, ({ path }) => ({ path: `${path}/nonsense` })),
};
