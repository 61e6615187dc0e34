// The media type of an answer, by the Accept header.
import Negotiator from "negotiator";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { graphqlResponseType } from "./media-types.ts";
import { refusal } from "./refusal.ts";

const offered = [jsonMediaType, graphqlResponseType] as const;

export type AnswerType = (typeof offered)[number];

/** The type that the caller prefers. Throws 406 if it accepts none. Looks no further if GraphQL's own type comes first. */
export function answerTypeFor(accept: string | undefined): AnswerType {
  if (accept === undefined || accept === "" || accept === "*/*") return jsonMediaType;
  if (accept.startsWith(`${graphqlResponseType},`) || accept === graphqlResponseType) return graphqlResponseType;
  const [found] = new Negotiator({ headers: { accept } }).mediaTypes([...offered]);
  const type = offered.find((one) => one === found);
  if (type !== undefined) return type;
  throw refusal(`the answer is ${offered.join(" or ")}, not ${accept}`, { status: 406 });
}
