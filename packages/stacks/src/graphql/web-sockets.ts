// GraphQL over WebSockets in the protocol graphql-transport-ws, with the libraries that clients' guides name. Loaded with the first connection.
// https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
import { CallError, ConnectionCut } from "@roundtrip/contract";
import { graphqlPath, type GraphqlService, type SocketDocuments } from "@roundtrip/styles/graphql/server";
import { GraphQLError } from "graphql";
import type { Server, makeServer } from "graphql-ws";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket, WebSocketServer } from "ws";
import type { ServeOptions } from "../basics/stack.ts";
import type { SocketServer } from "../shared/node-server/serve-service.ts";

/** Of one connection at once. As many calls may one document make. */
const mostDocuments = 100;

/** A connection that does not answer a ping until the next one is closed. */
const pingMs = 12_000;

/** What a closing server tells its clients (RFC 6455, section 7.4.1); with the second, they connect again. */
const goingAway = 1001;
const restarting = 1012;
/** Of the protocol. */
const internalError = 4500;

interface Extra {
  readonly request: IncomingMessage;
  readonly socket: WebSocket;
  /** Cancel the calls of its documents. */
  readonly cancels: Set<() => void>;
}

/** The header names of HTTP (RFC 9110, section 5.1). */
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Pages cannot set headers of a WebSocket: texts among the parameters of its beginning count as such. */
function headersIn(parameters: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  const texts = Object.entries(parameters ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && headerName.test(entry[0]),
  );
  return Object.fromEntries(texts.map(([name, text]) => [name.toLowerCase(), text]));
}

/** The request that a document counts as. */
function requestOf({ request }: Extra, parameters: Readonly<Record<string, unknown>> | undefined) {
  const own = headersIn(parameters);
  const distinct = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, [text]]));
  return {
    method: "POST",
    url: graphqlPath,
    headers: { ...request.headers, ...own },
    headersDistinct: { ...request.headersDistinct, ...distinct },
    socket: request.socket,
  };
}

/** Results of a document whose calls end with the connection, or when its client asks for no more. */
async function* cancellable<T>(results: AsyncIterable<T>, cancel: () => void, { cancels }: Extra): AsyncGenerator<T> {
  cancels.add(cancel);
  try {
    yield* results;
  } finally {
    cancels.delete(cancel);
  }
}

function tooMany(): GraphQLError {
  const text = `a connection may have ${mostDocuments} documents at once`;
  return new GraphQLError(text, { originalError: new CallError("RESOURCE_EXHAUSTED", text) });
}

/** What the library takes for the execution of a document. */
const resultsOf = async ({ contextValue }: { readonly contextValue?: unknown }) =>
  (contextValue as { readonly begin: () => Promise<AsyncGenerator<never>> }).begin();

/** The library's server of these documents: it reads and writes the messages of the protocol. */
function protocolServer(make: typeof makeServer, documents: SocketDocuments): Server<Extra> {
  return make<Record<string, unknown>, Extra>({
    execute: resultsOf,
    subscribe: resultsOf,
    onSubscribe({ extra, connectionParams, subscriptions }, _id, { query, operationName, variables }) {
      if (Object.keys(subscriptions).length > mostDocuments) return [tooMany()];
      const checked = documents.check(query);
      if ("errors" in checked) return checked.errors;
      const begin = async () => {
        const body = { query, operationName, variables };
        const { results: sent, cancel } = await documents.answer(body, requestOf(extra, connectionParams));
        return cancellable(sent, cancel, extra);
      };
      return { schema: undefined as never, document: checked.document, operationName, contextValue: { begin } };
    },
    // Both are formatted already.
    onNext: (_context, _id, _payload, _args, result) => result as never,
    onError: (_context, _id, _payload, errors) => documents.sentErrors(errors),
  });
}

/** Connects a WebSocket with the protocol. */
function converse(server: Server<Extra>, extra: Extra): void {
  const { socket } = extra;
  let isAlive = true;
  const ping = setInterval(() => {
    if (!isAlive) socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingMs).unref();
  const send = (text: string): Promise<void> =>
    new Promise((resolve) => {
      // A result waits until the one before it is out.
      if (socket.readyState === socket.OPEN) socket.send(text, () => resolve());
      else resolve();
    });
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send,
      close: (code, reason) => socket.close(code, reason),
      onMessage: (take) =>
        void socket.on("message", (data: Buffer) => {
          take(data.toString()).catch((thrown: unknown) => {
            if (thrown instanceof ConnectionCut) socket.terminate();
            else socket.close(internalError, "the message could not be answered");
          });
        }),
    },
    extra,
  );
  socket.on("pong", () => (isAlive = true));
  // Frames that break the protocol: the library closes the connection.
  socket.on("error", () => undefined);
  socket.once("close", (code, reason) => {
    clearInterval(ping);
    for (const cancel of extra.cancels) cancel();
    void closed(code, reason.toString());
  });
}

export function graphqlSockets(
  { socketDocuments }: GraphqlService,
  { maxMessageBytes }: Pick<ServeOptions, "maxMessageBytes">,
): SocketServer {
  let loading: Promise<{ readonly sockets: WebSocketServer; readonly server: Server<Extra> }> | undefined;
  let ended: number | undefined;
  const load = async () => {
    const [{ WebSocketServer }, { handleProtocols, makeServer: make }, documents] = await Promise.all([
      import("ws"),
      import("graphql-ws"),
      socketDocuments(),
    ]);
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      handleProtocols: (protocols) => handleProtocols(protocols),
    });
    return { sockets, server: protocolServer(make, documents) };
  };
  const open = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const { sockets, server } = await (loading ??= load());
    sockets.handleUpgrade(request, socket, head, (opened) => {
      converse(server, { request, socket: opened, cancels: new Set() });
      if (ended !== undefined) opened.close(ended);
    });
  };
  const closeAll = async (code: number): Promise<void> => {
    for (const socket of (await loading)?.sockets.clients ?? []) socket.close(code);
  };
  return {
    open(request, socket, head) {
      const [path] = (request.url ?? "").split("?", 1);
      if (path !== graphqlPath) return false;
      open(request, socket, head).catch(() => socket.destroy());
      return true;
    },
    end(isReplaced) {
      ended = isReplaced ? restarting : goingAway;
      void closeAll(ended);
    },
  };
}
