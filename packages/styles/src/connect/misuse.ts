// Bytes that no Connect client sends, and the answers to them.
import { oddHeaders, rawAnswer, type ProtocolMisuse } from "../basics/misuse.ts";
import {
  brokenOff,
  type ClientOver,
  corrupted,
  oversizedHeader,
  replaced,
  sendNonsense,
  tooLargeHeader,
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

export const misuses: ProtocolMisuse = {
  attempts: {
    unknownMethod: {
      answers: [rawAnswer(404, "UNIMPLEMENTED")],
      send: corrupted(binaryClient, ({ path }) => ({ path: `${path}Nonsense` })),
    },
    wrongVerb: {
      answers: [rawAnswer(405, undefined)],
      send: corrupted(binaryClient, () => ({ method: "DELETE" })),
    },
    wrongContentType: {
      answers: [rawAnswer(415, undefined)],
      send: corrupted(binaryClient, withHeader("content-type", "text/plain")),
    },
    unknownEncoding: {
      answers: [rawAnswer(501, "UNIMPLEMENTED")],
      send: corrupted(binaryClient, withHeader("content-encoding", "nonsense")),
    },
    // Field 1 declares bytes that are missing.
    malformedBody: { answers: unreadable, send: corrupted(binaryClient, () => withBody(Buffer.of(0x0a, 0x7f))) },
    emptyBody: { answers: answered, send: corrupted(binaryClient, () => withBody("")) },
    invalidUtf8: { answers: unreadable, send: corrupted(binaryClient, replaced("text", "te\xFFt")) },
    numberOutOfRange: {
      answers: unreadable,
      send: corrupted(jsonClient, replaced('"int32Value":1', '"int32Value":3000000000')),
    },
    // Field 99 with the varint 1.
    unknownField: {
      answers: answered,
      send: corrupted(binaryClient, ({ body }) => withBody(Buffer.concat([body, Buffer.of(0x98, 0x06, 0x01)]))),
    },
    oversizedBody: {
      answers: [rawAnswer(429, "RESOURCE_EXHAUSTED")],
      send: corrupted(binaryClient, (_request, { maxRequestBytes }) => withBody(Buffer.alloc(maxRequestBytes + 1))),
    },
    oversizedHeader: {
      answers: tooLargeHeader,
      send: corrupted(binaryClient, withHeader("x-large", oversizedHeader)),
    },
    malformedDeadline: { answers: unreadable, send: corrupted(binaryClient, withHeader(timeoutHeader, "soon")) },
    truncatedBody: { answers: brokenOff, send: truncated(binaryClient) },
    anotherProtocol: { answers: brokenOff, send: sendNonsense },
    repeatedHeader: {
      answers: answered,
      send: corrupted(binaryClient, withHeader(oddHeaders.repeated.name, ...oddHeaders.repeated.values)),
    },
    upperCaseHeader: {
      answers: answered,
      send: corrupted(binaryClient, withHeader(oddHeaders.upperCase.name, ...oddHeaders.upperCase.values)),
    },
  },
  // The default encoding is binary.
  spellings: undefined,
  readDocument: undefined,
  sendsBody: () => true,
};
