// Bytes that no Connect client sends, and the answers to them.
import {
  type MisuseAttempt,
  oddHeaders,
  oversizedHeader,
  type ProtocolMisuse,
  type RawAnswer,
  rawAnswer,
  tooLargeHeader,
} from "../basics/misuse.ts";
import {
  brokenOff,
  type ClientOver,
  type Corrupt,
  corrupted,
  replaced,
  sendNonsense,
  truncated,
  withBody,
  withHeader,
} from "../shared/http/http-misuse.ts";
import { connectClient, connectClientDefaults } from "./client.ts";
import { timeoutHeader } from "./wire.ts";

/** Writes requests in the default encoding. */
export const binaryClient: ClientOver = (http, contract, { maxMessageBytes }) =>
  connectClient(http, contract, { ...connectClientDefaults, maxMessageBytes });

const jsonClient: ClientOver = (http, contract, { maxMessageBytes }) =>
  connectClient(http, contract, { ...connectClientDefaults, encoding: "json", maxMessageBytes });

const answered = [rawAnswer(200, "OK")];
const unreadable = [rawAnswer(400, "INVALID_ARGUMENT")];

function attempt(answers: readonly RawAnswer[], corrupt: Corrupt, client = binaryClient): MisuseAttempt {
  return { answers, send: corrupted(client, corrupt) };
}

export const misuses: ProtocolMisuse = {
  attempts: {
    unknownMethod: attempt([rawAnswer(404, "UNIMPLEMENTED")], ({ path }) => ({ path: `${path}Nonsense` })),
    wrongVerb: attempt([rawAnswer(405, undefined)], () => ({ method: "DELETE" })),
    wrongContentType: attempt([rawAnswer(415, undefined)], withHeader("content-type", "text/plain")),
    unknownEncoding: attempt([rawAnswer(501, "UNIMPLEMENTED")], withHeader("content-encoding", "nonsense")),
    // Field 1 declares bytes that are missing.
    malformedBody: attempt(unreadable, () => withBody(Buffer.of(0x0a, 0x7f))),
    emptyBody: attempt(answered, () => withBody("")),
    invalidUtf8: attempt(unreadable, replaced("text", "te\xFFt")),
    numberOutOfRange: attempt(unreadable, replaced('"int32Value":1', '"int32Value":3000000000'), jsonClient),
    // Field 99 with the varint 1.
    unknownField: attempt(answered, ({ body }) => withBody(Buffer.concat([body, Buffer.of(0x98, 0x06, 0x01)]))),
    oversizedBody: attempt([rawAnswer(429, "RESOURCE_EXHAUSTED")], (_request, { maxRequestBytes }) =>
      withBody(Buffer.alloc(maxRequestBytes + 1)),
    ),
    oversizedHeader: attempt(tooLargeHeader, withHeader("x-large", oversizedHeader)),
    malformedDeadline: attempt(unreadable, withHeader(timeoutHeader, "soon")),
    truncatedBody: { answers: brokenOff, send: truncated(binaryClient) },
    anotherProtocol: { answers: brokenOff, send: sendNonsense },
    repeatedHeader: attempt(answered, withHeader(oddHeaders.repeated.name, ...oddHeaders.repeated.values)),
    upperCaseHeader: attempt(answered, withHeader(oddHeaders.upperCase.name, ...oddHeaders.upperCase.values)),
  },
  // The default encoding is binary.
  spellings: undefined,
  readDocument: undefined,
  sendsBody: () => true,
};
