// REST as the standards of HTTP have it: problem details (RFC 9457), streams by the Accept header, 201 and 204.
import { checkJsonType } from "../../shared/http/json-body.ts";
import { incomingCall } from "../../shared/http/incoming-call.ts";
import { metadataHeaders } from "../../shared/http/text-answer.ts";
import { shortForm } from "../../shared/proto-json/json-form.ts";
import { problemOf, problemType } from "../errors.ts";
import { strict } from "../requests/leniency.ts";
import type { RestDialect, WriteError } from "./dialect.ts";

const writeError: WriteError = (error, status) => ({ status, body: problemOf(error, status) });

export const standard: RestDialect = {
  name: "standard",
  errorType: problemType,
  writeError,
  callOf: incomingCall,
  metadataOf: metadataHeaders,
  writeStreamError: writeError,
  writeFault: (error, status) => ({ type: problemType, text: JSON.stringify(problemOf(error, status)) }),
  streams: "negotiated",
  hasOwnStatuses: true,
  spellsViolations: true,
  checksAccept: true,
  checkBodyType: checkJsonType,
  leniency: strict,
  form: shortForm,
};
