// Bytes that no SOAP client sends, and the answers to them.
import { rawAnswer, type ProtocolMisuse } from "../basics/misuse.ts";
import { httpMisuses, replaced, withText } from "../shared/http/http-misuse.ts";
import { soapClient } from "./client.ts";

// SOAP 1.1 answers every fault with 500 (section 6.2).
const unreadable = [rawAnswer(500, "INVALID_ARGUMENT")];

export const misuses: ProtocolMisuse = {
  ...httpMisuses(soapClient, {
    unknownMethod: ({ body }) => withText({ body }, (text) => text.replace(/<(\/?)m:\w+/g, "<$1m:Nonsense")),
    corruptions: {
      invalidUtf8: replaced(">text<", ">te\u00FFxt<"),
      halfSurrogatePair: replaced(">text<", ">te&#xD800;xt<"),
      numberOutOfRange: replaced("<int32_value>1<", "<int32_value>3000000000<"),
      unknownField: replaced("<int32_value>1<", "<nonsense>1</nonsense><int32_value>1<"),
    },
    answers: {
      unknownMethod: [rawAnswer(500, "UNIMPLEMENTED")],
      wrongVerb: [rawAnswer(405, "UNIMPLEMENTED")],
      emptyBody: unreadable,
      malformedBody: unreadable,
      invalidUtf8: unreadable,
      halfSurrogatePair: unreadable,
      numberOutOfRange: unreadable,
      unknownField: unreadable,
      malformedDeadline: unreadable,
    },
    refusals: unreadable,
  }),
  // Spellings are those of JSON.
  spellings: undefined,
  readDocument: undefined,
  sendsBody: () => true,
};
