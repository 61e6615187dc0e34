// The client sockets that this process opens while a test runs.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A set that grows with every TCP connection begun from now until the end of the test. */
export function clientSockets(): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const onSocket = (message: unknown): void => {
    sockets.add((message as { readonly socket: Socket }).socket);
  };
  subscribe("net.client.socket", onSocket);
  onTestFinished(() => {
    unsubscribe("net.client.socket", onSocket);
  });
  return sockets;
}
