// The client sockets that this process opens while a test runs.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A set that grows with every TCP connection begun from now until the end of the test, but for those that nobody takes: clients of tests before may still try
 * to reach servers that have gone. @param url connections to its port, and attempts at them, instead.
 */
export function clientSockets(url?: string): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const wanted = url === undefined ? undefined : Number(new URL(url).port);
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (wanted === undefined) {
      sockets.add(socket);
      socket.once("connectionAttemptFailed", () => sockets.delete(socket));
    } else socket.on("connectionAttempt", (_address: string, port: number) => port === wanted && sockets.add(socket));
  };
  subscribe("net.client.socket", onSocket);
  onTestFinished(() => {
    unsubscribe("net.client.socket", onSocket);
  });
  return sockets;
}
