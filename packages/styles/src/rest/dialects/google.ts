// REST as Google's APIs serve it: https://google.aip.dev/193 and https://cloud.google.com/apis/docs/system-parameters
import { checkJsonType, jsonMediaType } from "../../shared/http/json-body.ts";
import { incomingCall } from "../../shared/http/incoming-call.ts";
import { metadataHeaders } from "../../shared/http/text-answer.ts";
import { shortForm } from "../../shared/proto-json/json-form.ts";
import { detailsToAny } from "../../shared/rpc-details-json.ts";
import { strict, type Leniency } from "../requests/leniency.ts";
import type { RestDialect, WriteError } from "./dialect.ts";

/** What Google's clients send with each call. */
const systemParameters = [
  "access_token",
  "alt",
  "callback",
  "fields",
  "key",
  "oauth_token",
  "prettyPrint",
  "quotaUser",
  "uploadType",
  "upload_protocol",
  "xgafv",
  ".xgafv",
];

const leniency: Leniency = {
  ...strict,
  readsContractPaths: true,
  parameters: new Set(systemParameters.flatMap((name) => [name, `$${name}`])),
};

const writeError: WriteError = (error, status) => {
  const code = status === 404 && error.code === "UNIMPLEMENTED" ? "NOT_FOUND" : error.code;
  const details = detailsToAny(error.details);
  const body = { code: status, message: error.message, status: code, ...(details.length === 0 ? {} : { details }) };
  return { status, body: { error: body } };
};

export const google: RestDialect = {
  name: "google",
  errorType: jsonMediaType,
  writeError,
  callOf: incomingCall,
  metadataOf: metadataHeaders,
  writeStreamError: (error, status) => ({ status, body: [writeError(error, status).body] }),
  writeFault: (error, status) => ({ type: jsonMediaType, text: JSON.stringify(writeError(error, status).body) }),
  streams: "array",
  hasOwnStatuses: false,
  spellsViolations: false,
  checksAccept: false,
  checkBodyType: (type) => {
    if (type !== undefined) checkJsonType(type);
  },
  leniency,
  form: shortForm,
};
