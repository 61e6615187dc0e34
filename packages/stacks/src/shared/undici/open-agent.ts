// The agent of node:http for clients on it, with the settings and the connections of the other clients.
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Socket } from "node:net";
import { hostAndPortOf } from "../listening.ts";
import { httpConnector, type HttpPoolOptions } from "./pool.ts";

/** As undici's connections. */
const tcpKeepAliveMs = 60_000;

export interface AgentOptions extends HttpPoolOptions {
  readonly newConnectionPerCall: boolean;
}

export function openAgent(url: URL, options: AgentOptions): HttpAgent {
  const agent = new (url.protocol === "https:" ? HttpsAgent : HttpAgent)({
    keepAlive: !options.newConnectionPerCall,
    keepAliveMsecs: tcpKeepAliveMs,
    maxSockets: options.connections ?? Number.POSITIVE_INFINITY,
    timeout: options.clientIdleTimeoutMs,
  });
  // As an option, 0 would be Node.js's default.
  agent.maxFreeSockets = options.idleConnections;
  const connect = httpConnector(options);
  const { host: hostname, port } = hostAndPortOf(url);
  const destroy = agent.destroy.bind(agent);
  let isClosed = false;
  agent.destroy = () => {
    isClosed = true;
    destroy();
  };
  const target = { protocol: url.protocol, host: url.host, hostname, port: String(port) };
  agent.createConnection = (_options, created) => {
    // The agent counts a connection once it is open; until then it takes a place here.
    agent.maxSockets -= 1;
    connect(target, (...[error, socket]) => {
      agent.maxSockets += 1;
      // Calls that wait for a connection get another when one closes, and not when one fails to open: so this one opens, and closes at once.
      const opened = socket ?? new Socket();
      created?.(null, opened);
      // The agent does not know of a connection that was not open when it closed.
      if (error !== null || isClosed) opened.destroy(error ?? undefined);
    });
    return undefined;
  };
  return agent;
}
