// Server limits as rows of a table: every value is taken from the code that applies it.
import { serviceSettings } from "../packages/service/src/index.ts";
import { loadStack, serveDefaults, type SettingValue } from "../packages/stacks/src/index.ts";
import {
  maxAliases,
  maxDepth,
  maxRootFields,
  maxSelections,
  maxTokens,
} from "../packages/styles/src/graphql/documents/document-limits.ts";
import { mostWaiting } from "../packages/stacks/src/shared/node-server/http-pipelining.ts";

async function defaultOf(stackName: string, name: string): Promise<SettingValue> {
  const setting = (await loadStack(stackName)).settings.find((one) => one.name === name);
  if (setting === undefined) throw new Error(`${stackName} has no setting ${name}`);
  return setting.default;
}

function seconds(ms: SettingValue): string {
  return `${Number(ms) / 1_000} s`;
}

function figure(value: SettingValue): string {
  return value.toLocaleString("en-US");
}

const { maxMessageBytes, maxConnections, maxHeadersMs, maxRequestMs, maxUnreadMs } = serveDefaults;
const [grpcIdle, httpIdle, streams, unread] = await Promise.all([
  defaultOf("grpc-js", "maxConnectionIdleMs"),
  defaultOf("rest-express", "maxConnectionIdleMs"),
  defaultOf("grpc-js", "maxConcurrentStreams"),
  defaultOf("grpc-js", "maxUnreadBytes"),
]);
const queueLimitOfMatrices = serviceSettings.matrix.find(({ name }) => name === "queueLimit")?.default ?? "";
const hungUp = "the connection is closed";
const refusedDocument = "400 (200 as `application/json`), RESOURCE_EXHAUSTED";
const waiting = `they wait; if more than ${mostWaiting} wait, ${hungUp}`;

/** What is limited, its setting and default, and the error a client gets when it exceeds it: over gRPC, REST and GraphQL. */
export const serverLimits: readonly (readonly [string, string, string, string, string])[] = [
  ["connections at once", `\`maxConnections\`: ${figure(maxConnections)}`, hungUp, hungUp, hungUp],
  ["a TLS handshake", `\`maxHeadersMs\`: ${seconds(maxHeadersMs)}`, hungUp, hungUp, hungUp],
  [
    "the headers of a request; over HTTP/2 the first call of a connection",
    `\`maxHeadersMs\`: ${seconds(maxHeadersMs)}`,
    `GOAWAY, ${hungUp}`,
    "408, DEADLINE_EXCEEDED",
    "408, DEADLINE_EXCEEDED",
  ],
  [
    "a whole request that is one message",
    `\`maxRequestMs\`: ${seconds(maxRequestMs)}`,
    "DEADLINE_EXCEEDED",
    "408, DEADLINE_EXCEEDED",
    "408, DEADLINE_EXCEEDED",
  ],
  [
    "the next request of a stream, while the handler waits for it; there is no limit for the whole stream",
    `\`maxRequestMs\`: ${seconds(maxRequestMs)}`,
    "DEADLINE_EXCEEDED; no limit if both ends stream",
    "408, DEADLINE_EXCEEDED",
    "–",
  ],
  [
    "a connection without calls",
    `\`maxConnectionIdleMs\`: ${seconds(grpcIdle)}${grpcIdle === httpIdle ? "" : `, ${seconds(httpIdle)} over HTTP/1.1`}`,
    `GOAWAY, ${hungUp}`,
    hungUp,
    hungUp,
  ],
  [
    "calls at once on a connection",
    `\`maxConcurrentStreams\`: ${figure(streams)}; 1 over HTTP/1.1`,
    "they wait at the client",
    waiting,
    waiting,
  ],
  [
    "an answer, or the next one of a stream, that its caller does not read",
    `\`maxUnreadMs\`: ${seconds(maxUnreadMs)}, or up to twice that over HTTP/1.1`,
    `the call is cancelled; ${hungUp} unless another call is in progress on it`,
    hungUp,
    hungUp,
  ],
  [
    "answers of 16 KiB and more that wait for their caller on a connection",
    `\`maxUnreadBytes\`: ${figure(unread)} bytes; 1 answer over HTTP/1.1`,
    hungUp,
    "–",
    "–",
  ],
  [
    "the size of a message, decompressed",
    `\`maxMessageBytes\`: ${figure(maxMessageBytes)} bytes`,
    "RESOURCE_EXHAUSTED",
    "413, RESOURCE_EXHAUSTED",
    "413, RESOURCE_EXHAUSTED",
  ],
  [
    "powers of matrices that wait while all threads compute",
    `\`matrix.queueLimit\`: ${figure(queueLimitOfMatrices)}`,
    "RESOURCE_EXHAUSTED",
    "429, RESOURCE_EXHAUSTED",
    "RESOURCE_EXHAUSTED",
  ],
  ["tokens of a document", figure(maxTokens), "–", "–", refusedDocument],
  ["fields of a document, with fragments expanded", figure(maxSelections), "–", "–", refusedDocument],
  ["fields at the root of a document", figure(maxRootFields), "–", "–", refusedDocument],
  ["aliases in a document", figure(maxAliases), "–", "–", refusedDocument],
  ["nesting of fields in a document", figure(maxDepth), "–", "–", refusedDocument],
  ["requests in one body", "1", "–", "–", "400, RESOURCE_EXHAUSTED"],
];
