// REST as grpc-gateway serves it by default: https://grpc-ecosystem.github.io/grpc-gateway/docs/mapping/customizing_your_gateway/
import { canonicalCodes } from "@roundtrip/contract";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { detailsToWholeAny } from "../../shared/rpc-details-json.ts";
import { strict } from "../requests/leniency.ts";
import type { RestDialect, WriteError } from "./dialect.ts";
import { gatewayCall, gatewayHeaders } from "./gateway-metadata.ts";

/** A google.rpc.Status. A path without a route is NOT_FOUND, and another method UNIMPLEMENTED with its own status. */
const writeError: WriteError = ({ code, message, details }, status) => {
  const written = status === 404 && code === "UNIMPLEMENTED" ? "NOT_FOUND" : code;
  return {
    status: status === 405 ? canonicalCodes[written].http : status,
    body: { code: canonicalCodes[written].grpc, message, details: detailsToWholeAny(details) },
  };
};

export const grpcGateway: RestDialect = {
  name: "grpc-gateway",
  errorType: jsonMediaType,
  writeError,
  callOf: gatewayCall,
  metadataOf: gatewayHeaders,
  writeStreamError: (error, status) => {
    const written = writeError(error, status);
    return { status: written.status, body: { error: written.body } };
  },
  writeFault: (error, status) => ({ type: jsonMediaType, text: JSON.stringify(writeError(error, status).body) }),
  streams: "wrapped",
  hasOwnStatuses: false,
  spellsViolations: false,
  checksAccept: false,
  // It reads every body as JSON.
  checkBodyType: () => undefined,
  leniency: { ...strict, ignoresUnknown: true, readsContractPaths: true, readsGoValues: true },
  form: { hasContractNames: false, hasUnsetFields: true },
};
