// The table of limits in the guide of fakes, made of the constants that servers and fakes compare with.
import { maxErrorText, maxViolations } from "../packages/contract/src/basics/call-error.ts";
import { maxDecodedBytes } from "../packages/contract/src/calls/decoded-size.ts";
import {
  maxHeldBytes,
  maxHeldBytesPerConnection,
  reservedBytes,
  smallShareBytes,
} from "../packages/contract/src/calls/held-memory.ts";
import { maxMaskPaths } from "../packages/contract/src/calls/field-masks.ts";
import { maxMetadataBytes } from "../packages/contract/src/calls/metadata.ts";
import { maxListedBytes, maxStoredBytes } from "../packages/contract/src/calls/stored-memory.ts";
import { sliceMs } from "../packages/contract/src/calls/turns.ts";
import { maxNesting, maxTypePath } from "../packages/contract/src/descriptors/components.ts";
import { maxRuleCost, messageCost, numberCost } from "../packages/contract/src/validation/rule-cost.ts";
import * as madeUp from "../packages/fakes/src/answers/limits.ts";
import { maxLogBytes } from "../packages/fakes/src/fake/fake.ts";
import { maxSessions } from "../packages/fakes/src/fake/sessions.ts";
import { documentLimits, sentTextLimits } from "../packages/fakes/src/files/located-documents.ts";
import { callLogLimits } from "../packages/fakes/src/log/call-log.ts";
import { maxPropertyCharacters } from "../packages/fakes/src/resources/request-properties.ts";
import { maxBytes as maxResourceBytes, maxResources } from "../packages/fakes/src/resources/session-state.ts";
import { maxStubs } from "../packages/fakes/src/stubs/read-stubs.ts";
import { serveDefaults } from "../packages/stacks/src/basics/stack.ts";
import { decompressedAtOnce } from "../packages/stacks/src/shared/decompression-slots.ts";
import { freeInflatedBytes, maxInflation } from "../packages/stacks/src/shared/node-server/request-body.ts";
import { freePieces, leastPieceBytes } from "../packages/stacks/src/shared/received-pieces.ts";
import * as graphql from "../packages/styles/src/graphql/documents/document-limits.ts";
import { maxCallsInBatch } from "../packages/styles/src/json-rpc/messages.ts";
import { maxJsonCost, maxJsonDepth } from "../packages/styles/src/shared/proto-json/json-limits.ts";
import { maxAnswersBytes, uncountedAnswers } from "../packages/styles/src/shared/http/shared-calls.ts";
import { maxMaskTexts } from "../packages/styles/src/shared/proto-json/message-from-json.ts";
import { maxXmlDepth, maxXmlElements } from "../packages/styles/src/soap/xml.ts";

function bytes(size: number): string {
  return size % 2 ** 20 === 0 ? `${size / 2 ** 20} MiB` : `${size / 2 ** 10} KiB`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

const rows: readonly (readonly [what: string, limit: string])[] = [
  ["message, metadata", `${bytes(serveDefaults.maxMessageBytes)} (\`maxMessageBytes\`), ${bytes(maxMetadataBytes)}`],
  ["memory of a decoded message", bytes(maxDecodedBytes)],
  [
    "decompressed body",
    `${bytes(freeInflatedBytes)}, or ${maxInflation} times what was sent; ${decompressedAtOnce} at once`,
  ],
  ["pieces of a body", `${count(freePieces)}, or one for each ${leastPieceBytes} bytes`],
  [
    "unfinished requests of a connection, of all",
    `${bytes(maxHeldBytesPerConnection)}, ${bytes(maxHeldBytes)} (the last ${bytes(reservedBytes)} for connections below ${bytes(smallShareBytes)})`,
  ],
  ["work before others are served", `${sliceMs} ms`],
  ["levels of messages, JSON, XML", `${maxNesting}, ${maxJsonDepth}, ${maxXmlDepth}`],
  ["values of JSON, elements of XML", `${count(maxJsonCost)}, ${count(maxXmlElements)}`],
  [
    "GraphQL document",
    `${count(graphql.maxTokens)} tokens and fields, ${graphql.maxRootFields} calls, ${graphql.maxAliases} aliases, ` +
      `${graphql.maxFragments} fragments, ${graphql.maxDepth} levels`,
  ],
  [
    "edges of a document",
    `${graphql.maxEdgeDepth} levels, ${count(graphql.maxEdgeCalls)} calls, ${graphql.maxEdgeCallsAtOnce} at once, ` +
      `${count(graphql.maxEdgeKeys)} resources; a page without its size counts as ${graphql.usualPage}`,
  ],
  ["calls of a JSON-RPC batch", count(maxCallsInBatch)],
  [`memory of answers to a batch or document, beside the first ${uncountedAnswers}`, bytes(maxAnswersBytes)],
  [
    "values whose rules are checked",
    `${count(maxRuleCost / numberCost)} numbers, ${count(Math.floor(maxRuleCost / messageCost))} messages, ${count(maxRuleCost)} characters or steps of expressions`,
  ],
  ["text, violations of an error", `cut after ${count(maxErrorText)} characters, ${count(maxViolations)}`],
  [
    "field mask",
    `${count(maxMaskPaths)} paths of ${maxNesting} fields; ${count(maxMaskTexts)} paths and capital letters in JSON`,
  ],
  ["chain of types", count(maxTypePath)],
  ["made-up text, list", `${count(madeUp.maxTextCharacters)} characters, ${count(madeUp.maxElements)} items`],
  [
    "made-up message",
    `${count(madeUp.maxMessages)} messages, ${count(madeUp.maxValues)} values, ${bytes(madeUp.maxCharacters)} of text`,
  ],
  [
    "stubs: file, sent text",
    `${count(maxStubs)} in ${bytes(documentLimits.fileBytes)}, ${count(sentTextLimits.tokens)} tokens in ${bytes(sentTextLimits.characters)}`,
  ],
  [
    "sessions; calls in the log of each",
    `${count(maxSessions)}; ${count(callLogLimits.maxRecords)}, ${bytes(callLogLimits.maxBytes)}, ${bytes(maxLogBytes)} in all`,
  ],
  ["filter, order, page token or name of a resource", `${count(maxPropertyCharacters)} characters`],
  ["resources of a session", `${count(maxResources)}, ${bytes(maxResourceBytes)}; ${bytes(maxStoredBytes)} in all`],
  ["entries of one answer", `${bytes(maxListedBytes)}: a page ends earlier`],
];

const [begin, end] = ["<!-- limits -->", "<!-- end of limits -->"];

/** The guide with the table of now. Throws an Error for a guide without its marks. */
export function withLimits(guide: string): string {
  const [from, to] = [guide.indexOf(begin), guide.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no "${begin}" before "${end}"`);
  const lines = [["limit of", "is"], ["---", "---"], ...rows].map((cells) => `| ${cells.join(" | ")} |\n`);
  return `${guide.slice(0, from)}${begin}\n\n${lines.join("")}\n${guide.slice(to)}`;
}
