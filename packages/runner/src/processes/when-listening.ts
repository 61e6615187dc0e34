// Waits until a program listens on a port.
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const retryMs = 10;

async function isListening(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port });
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Resolves when the port accepts a connection, or the signal is aborted. */
export async function whenListening(host: string, port: number, signal: AbortSignal): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one try after the other
  while (!signal.aborted && !(await isListening(host, port))) await sleep(retryMs);
}
