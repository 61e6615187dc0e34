// Bytes that no GraphQL client sends, and the answers to them.
import { rawAnswer, type ProtocolMisuse } from "../basics/misuse.ts";
import { httpMisuses, withText } from "../shared/http/http-misuse.ts";
import { graphqlClient } from "./client.ts";

const unreadable = [rawAnswer(400, "INVALID_ARGUMENT")];
/** An error in one field may have status 200, with the answers of other fields. */
const unreadableField = [...unreadable, rawAnswer(200, "INVALID_ARGUMENT")];

export const misuses: ProtocolMisuse = {
  ...httpMisuses(graphqlClient, {
    // The first name in the operation's braces is its field.
    unknownMethod: (request) => withText(request, (text) => text.replace(/\{ \w+/, "{ nonsense")),
    answers: {
      unknownMethod: unreadable,
      wrongVerb: [rawAnswer(405, "INVALID_ARGUMENT")],
      wrongContentType: [rawAnswer(415, "INVALID_ARGUMENT"), ...unreadable],
      emptyBody: unreadable,
      invalidUtf8: unreadableField,
      halfSurrogatePair: unreadableField,
      numberOutOfRange: unreadableField,
      malformedDeadline: unreadableField,
    },
    refusals: unreadableField,
  }),
  sendsBody: () => true,
};
