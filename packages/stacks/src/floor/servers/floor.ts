// The server of the floor: frames over TCP or TLS.
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { keepAlive as keepAliveSetting, settingsWith } from "../../shared/settings.ts";
import { listen } from "../../shared/listening.ts";
import type { Serve } from "../../basics/stack.ts";
import { EchoAnswers, ServedConnection } from "../served-connection.ts";
import { closingGreeting, greeting } from "../frames.ts";

function shutDown(server: Server, connections: ReadonlySet<ServedConnection>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const connection of connections) connection.destroy();
      // A TLS handshake may still be in progress; do not wait for it.
      resolve();
    }, graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const connection of connections) connection.close();
  });
}

export const serve: Serve = async (service, options) => {
  const { tls, maxMessageBytes, shutdownGraceMs, maxConnections } = options;
  const { keepAlive } = settingsWith([keepAliveSetting], options.settings);
  const hello = keepAlive ? greeting : closingGreeting;
  const echoes = new EchoAnswers(maxMessageBytes);
  const connections = new Set<ServedConnection>();
  let current = service;
  const accept = (socket: Socket): void => {
    const connection = new ServedConnection(socket, {
      service: () => current,
      maxMessageBytes,
      echoes,
      greeting: hello,
    });
    connections.add(connection);
    socket.once("close", () => connections.delete(connection));
  };
  const server =
    tls === undefined ? createServer({ noDelay: true }, accept) : createTlsServer({ ...tls, noDelay: true }, accept);
  server.maxConnections = maxConnections;
  const url = await listen(server, options);
  let closing: Promise<void> | undefined;
  return {
    url,
    // oxlint-disable-next-line require-await -- there is nothing to wait for
    async replace(next) {
      current = next;
    },
    close: () => (closing ??= shutDown(server, connections, shutdownGraceMs)),
  };
};
