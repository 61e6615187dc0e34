// What a client process sees of its connections: their number and bytes, and the server's limit of concurrent calls on an HTTP/2 connection.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { FirstConnection } from "@roundtrip/runs";

/** Totals over all client sockets of this process since the meter was made. */
export class WireMeter {
  #connections = 0;
  readonly #open = new Set<Socket>();
  #closedWritten = 0;
  #closedRead = 0;
  #closedByServer = 0;
  #writtenBefore: ReadonlyMap<Socket, number> = new Map();

  /** Create it before the stack's client is loaded, so that it sees every connection. */
  constructor() {
    subscribe("net.client.socket", (message) => {
      const { socket } = message as { readonly socket: Socket };
      this.#connections += 1;
      this.#open.add(socket);
      socket.once("end", () => {
        this.#closedByServer += 1;
      });
      socket.once("close", () => {
        this.#open.delete(socket);
        this.#closedWritten += socket.bytesWritten;
        this.#closedRead += socket.bytesRead;
      });
    });
  }

  /** Starts counting {@link connectionsReused}. */
  begin(): void {
    this.#writtenBefore = new Map([...this.#open].map((socket) => [socket, socket.bytesWritten]));
  }

  /** Connections that were open at the start and have been written to since. */
  get connectionsReused(): number {
    return [...this.#writtenBefore].filter(([socket, before]) => socket.bytesWritten > before).length;
  }

  get connectionsOpened(): number {
    return this.#connections;
  }

  get connectionsClosedByServer(): number {
    return this.#closedByServer;
  }

  get bytesWritten(): number {
    let total = this.#closedWritten;
    for (const socket of this.#open) total += socket.bytesWritten;
    return total;
  }

  get bytesRead(): number {
    let total = this.#closedRead;
    for (const socket of this.#open) total += socket.bytesRead;
    return total;
  }
}

/** Does the work, and returns its result with the times of the first connection that it opens, from its start: look-up, then TCP. */
export async function withFirstConnection<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly connection: FirstConnection }> {
  let first: Socket | undefined;
  const startedAt = performance.now();
  let [begunAt, lookedUpAt, connectedAt] = [Number.NaN, Number.NaN, Number.NaN];
  const listen = (message: unknown): void => {
    if (first !== undefined) return;
    first = (message as { readonly socket: Socket }).socket;
    begunAt = performance.now();
    first.once("lookup", () => (lookedUpAt = performance.now()));
    first.once("connect", () => (connectedAt = performance.now()));
  };
  subscribe("net.client.socket", listen);
  try {
    const value = await work();
    if (Number.isNaN(connectedAt)) return { value, connection: {} };
    const isLookedUp = !Number.isNaN(lookedUpAt);
    return {
      value,
      connection: {
        beforeConnectingMs: begunAt - startedAt,
        ...(isLookedUp ? { lookUpMs: lookedUpAt - begunAt } : {}),
        connectingMs: connectedAt - (isLookedUp ? lookedUpAt : begunAt),
      },
    };
  } finally {
    unsubscribe("net.client.socket", listen);
  }
}

/** Reports each stream that has sent its request. When a stream ends, the server's settings have arrived. */
const channel = "http2.client.stream.finish";

/** The value of a peer without a limit: RFC 9113, section 6.5.2. */
const unlimited = 2 ** 32 - 1;

/** Does the work, and returns its result with the lowest stream limit of its HTTP/2 connections, if any. Subscribes only meanwhile. */
export async function withStreamLimit<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly limit: number | undefined }> {
  let least = unlimited;
  const listen = (message: unknown): void => {
    const { stream } = message as { readonly stream?: ClientHttp2Stream };
    least = Math.min(least, stream?.session?.remoteSettings.maxConcurrentStreams ?? unlimited);
  };
  subscribe(channel, listen);
  try {
    const value = await work();
    return { value, limit: least === unlimited ? undefined : least };
  } finally {
    unsubscribe(channel, listen);
  }
}
