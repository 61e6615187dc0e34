// Values that google.api.http and JSON cannot carry.
import type { KnownLimits } from "../basics/known-limits.ts";
import { notFiniteInAnyJson } from "../shared/values-in.ts";
import { answerHasMore, bodyIsNoValue, bytesAreJoined, headHasBody, rawBodyLoses } from "./known-limits/body-limits.ts";
import { needsSeveralUrls, pathImplies, pathRefuses, queryLoses } from "./known-limits/url-limits.ts";

const compared = "nothing";

export const knownLimits: KnownLimits = {
  calls: [
    notFiniteInAnyJson,
    {
      reason: "a path cannot carry empty text, or text that does not match its template",
      compared,
      appliesTo: pathRefuses,
    },
    { reason: "a path variable inside a message also sets the message", compared, appliesTo: pathImplies },
    {
      reason: "google.api.http cannot write maps, lists of messages and empty messages into a query",
      compared,
      appliesTo: queryLoses,
    },
    {
      reason: "the requests of a stream are the body of one HTTP request, which has one path",
      compared,
      appliesTo: needsSeveralUrls,
    },
    { reason: "in a body, JSON null also means an absent value", compared, appliesTo: bodyIsNoValue },
    { reason: "response_body sends one field of the answer only", compared, appliesTo: answerHasMore },
    {
      reason: "google.api.HttpBody is raw bytes with a content type: its extensions and its cut into messages are lost",
      compared,
      appliesTo: rawBodyLoses,
    },
    { reason: "an answer to HEAD has no body", compared, appliesTo: headHasBody },
    {
      reason: "a stream with a bytes body joins its messages: their boundaries and a late error are lost",
      compared,
      appliesTo: bytesAreJoined,
    },
  ],
  spellings: [],
};
