// Bytes that no JSON-RPC client sends, and the answers to them. Errors of JSON-RPC have status 200, those of HTTP their own.
import { rawAnswer, type ProtocolMisuse } from "../basics/misuse.ts";
import { httpMisuses, withText } from "../shared/http/http-misuse.ts";
import { jsonRpcClient } from "./client.ts";

const refused = [rawAnswer(200, "INVALID_ARGUMENT")];

export const misuses: ProtocolMisuse = {
  ...httpMisuses(jsonRpcClient, {
    unknownMethod: (request) => withText(request, (text) => text.replace(/"method":"[^"]+"/, '"method":"non.Sense"')),
    answers: {
      unknownMethod: [rawAnswer(200, "UNIMPLEMENTED")],
      wrongVerb: [rawAnswer(405, "UNIMPLEMENTED")],
      malformedBody: refused,
      emptyBody: refused,
      invalidUtf8: refused,
      halfSurrogatePair: refused,
      numberOutOfRange: refused,
      unknownField: refused,
      malformedDeadline: refused,
    },
    refusals: refused,
  }),
  readDocument: undefined,
  sendsBody: () => true,
};
