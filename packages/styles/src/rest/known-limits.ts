// Values that google.api.http and JSON cannot carry.
import type { KnownLimits } from "../basics/known-limits.ts";
import { notFiniteInAnyJson } from "../shared/values-in.ts";
import { answerHasMore, bodyIsNoValue, bytesAreJoined } from "./known-limits/body-limits.ts";
import { needsSeveralUrls, pathImplies, pathRefuses, queryLoses } from "./known-limits/url-limits.ts";

const compared = "nothing";

export const knownLimits: KnownLimits = {
  calls: [
    notFiniteInAnyJson,
    {
      reason: "a path has no place for empty text, nor for text that is no path of its template",
      compared,
      appliesTo: pathRefuses,
    },
    { reason: "a path variable inside a message brings the message along", compared, appliesTo: pathImplies },
    {
      reason: "google.api.http cannot write maps, lists of messages and empty messages into a query",
      compared,
      appliesTo: queryLoses,
    },
    {
      reason: "the requests of one stream are the body of one HTTP request, which is for one place",
      compared,
      appliesTo: needsSeveralUrls,
    },
    { reason: "a body of JSON null is what an absent value is too", compared, appliesTo: bodyIsNoValue },
    { reason: "response_body sends one field of the answer and no other", compared, appliesTo: answerHasMore },
    {
      reason: "a stream with a bytes body joins its messages: boundaries of messages and a late error are lost",
      compared,
      appliesTo: bytesAreJoined,
    },
  ],
  spellings: [],
};
