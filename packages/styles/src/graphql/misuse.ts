// Bytes and documents that no client of this style sends, and the answers to them.
import { type DocumentAnswer, rawAnswer, type ProtocolMisuse, type ReadDocument } from "../basics/misuse.ts";
import { httpMisuses, withText } from "../shared/http/http-misuse.ts";
import { graphqlClient } from "./client.ts";
import { graphqlResponseType } from "./index.ts";
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { text } from "node:stream/consumers";

const unreadable = [rawAnswer(400, "INVALID_ARGUMENT")];
/** An error in one field may have status 200, with the answers of other fields. */
const unreadableField = [...unreadable, rawAnswer(200, "INVALID_ARGUMENT")];

const readDocument: ReadDocument = ({ url, ca }, query) =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", accept: graphqlResponseType };
    const send = url.startsWith("https:") ? requestTls : requestPlain;
    const request = send(url, { method: "POST", agent: false, headers, ca }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body) as DocumentAnswer), reject);
    });
    request.on("error", reject);
    request.end(JSON.stringify({ query }));
  });

export const misuses: ProtocolMisuse = {
  ...httpMisuses(graphqlClient, {
    // The first name in the operation's braces is its field.
    unknownMethod: (request) => withText(request, (body) => body.replace(/\{ \w+/, "{ nonsense")),
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
  readDocument,
  sendsBody: () => true,
};
