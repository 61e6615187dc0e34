// The limits of servers and their defaults, taken from the code that applies them.
import { serviceSettings } from "../packages/service/src/index.ts";
import type { ServerLimit } from "../packages/styles/src/index.ts";
import { loadStack, serveDefaults, type SettingValue } from "../packages/stacks/src/index.ts";
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

/** Each limit, with its setting and default. */
export const serverLimits: Readonly<Record<ServerLimit, readonly [what: string, setting: string]>> = {
  connections: ["connections at once", `\`maxConnections\`: ${figure(maxConnections)}`],
  handshake: ["a TLS handshake", `\`maxHeadersMs\`: ${seconds(maxHeadersMs)}`],
  headers: [
    "the headers of a request; over HTTP/2 the first call of a connection",
    `\`maxHeadersMs\`: ${seconds(maxHeadersMs)}`,
  ],
  wholeRequest: ["a whole request that is one message", `\`maxRequestMs\`: ${seconds(maxRequestMs)}`],
  nextRequest: [
    "the next request of a stream, while the handler waits for it; there is no limit for the whole stream",
    `\`maxRequestMs\`: ${seconds(maxRequestMs)}`,
  ],
  idleConnection: [
    "a connection without calls",
    `\`maxConnectionIdleMs\`: ${seconds(grpcIdle)}${grpcIdle === httpIdle ? "" : `, ${seconds(httpIdle)} over HTTP/1.1`}`,
  ],
  callsAtOnce: [
    "calls at once on a connection",
    `\`maxConcurrentStreams\`: ${figure(streams)}; over HTTP/1.1 1, while ${mostWaiting} may wait`,
  ],
  unreadAnswer: [
    "an answer, or the next one of a stream, that its caller does not read",
    `\`maxUnreadMs\`: ${seconds(maxUnreadMs)}, or up to twice that over HTTP/1.1`,
  ],
  unreadBytes: [
    "answers of 16 KiB and more that wait for their caller on a connection",
    `\`maxUnreadBytes\`: ${figure(unread)} bytes; 1 answer over HTTP/1.1`,
  ],
  messageSize: ["the size of a message, decompressed", `\`maxMessageBytes\`: ${figure(maxMessageBytes)} bytes`],
  matrixQueue: [
    "powers of matrices that wait while all threads compute",
    `\`matrix.queueLimit\`: ${figure(queueLimitOfMatrices)}`,
  ],
};
