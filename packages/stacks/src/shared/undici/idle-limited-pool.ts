// A pool that limits its idle connections, as many clients do. undici's own pool keeps all.
import { errors, type Client, type Dispatcher } from "undici";

/** A pool of HTTP/1.1 connections. */
export interface HttpPool {
  /** Sends a request on a free connection, opens one, or waits for one. The handler gets every event. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown;
  /** Refuses new requests, waits for those in progress, then closes every connection. */
  close(): Promise<void>;
}

interface Waiting {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

export interface IdleLimitedPoolOptions {
  /** Maximum number of concurrent calls; further calls wait. Null for no limit. */
  readonly connections: number | null;
  readonly idleConnections: number;
}

/** Each connection is an undici client, which emits `drain` when it can take another call. */
export class IdleLimitedPool implements HttpPool {
  readonly #open: () => Client;
  readonly #mostAtOnce: number;
  readonly #mostIdle: number;
  readonly #all = new Set<Client>();
  /** The connection used last is used next. */
  readonly #idle: Client[] = [];
  readonly #waiting: Waiting[] = [];
  #closed: Promise<void> | undefined;
  #whenNoneWaits: (() => void) | undefined;

  constructor(open: () => Client, { connections, idleConnections }: IdleLimitedPoolOptions) {
    this.#open = open;
    this.#mostAtOnce = connections ?? Number.POSITIVE_INFINITY;
    this.#mostIdle = idleConnections;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#closed !== undefined) {
      // The request never began, so there is no controller.
      handler.onResponseError?.(undefined as never, new errors.ClientClosedError());
      return;
    }
    const client = this.#idle.pop() ?? (this.#all.size < this.#mostAtOnce ? this.#opened() : undefined);
    if (client === undefined) this.#waiting.push({ options, handler });
    else client.dispatch(options, handler);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll());
  }

  #opened(): Client {
    const client = this.#open();
    this.#all.add(client);
    client.on("drain", () => this.#over(client));
    // A connection closed by the server or a time-out is not idle.
    client.on("disconnect", () => {
      const place = this.#idle.indexOf(client);
      if (place === -1) return;
      this.#idle.splice(place, 1);
      this.#letGo(client);
    });
    return client;
  }

  #over(client: Client): void {
    const next = this.#waiting.shift();
    if (next !== undefined) client.dispatch(next.options, next.handler);
    else if (client.stats.connected && this.#idle.length < this.#mostIdle) this.#idle.push(client);
    else this.#letGo(client);
    if (this.#waiting.length === 0) this.#whenNoneWaits?.();
  }

  #letGo(client: Client): void {
    this.#all.delete(client);
    // Resolves when its socket is closed; never rejects.
    void client.close();
  }

  async #closeAll(): Promise<void> {
    if (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#whenNoneWaits = resolve;
      });
    }
    this.#idle.length = 0;
    await Promise.all([...this.#all].map((client) => client.close()));
  }
}
