// A pool that keeps only so many connections while no call is on them, as many clients do. undici's own keeps all that it has opened.
import { errors, type Client, type Dispatcher } from "undici";

/** The connections that calls over HTTP/1.1 are spread over. */
export interface HttpPool {
  /** Sends a request on a connection that is free, opens one, or waits for one. Its handler receives every event. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown;
  /** Takes no new requests, waits for those there are, then closes every connection. */
  close(): Promise<void>;
}

interface Waiting {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

export interface IdleLimitedPoolOptions {
  /** Calls at once; others wait for one of them to end. Null for any number. */
  readonly connections: number | null;
  /** Connections that are kept without a call. */
  readonly idleConnections: number;
}

/** Each connection is one of undici's clients, which says `drain` when its call is over and it can take another. */
export class IdleLimitedPool implements HttpPool {
  readonly #open: () => Client;
  readonly #mostAtOnce: number;
  readonly #mostIdle: number;
  readonly #all = new Set<Client>();
  /** The one that was used last is used next. */
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
      // The controller of a request that was never begun: there is nothing to control.
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
    // What the server or a time-out has closed is no connection that is kept.
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
    // Resolves when its socket is gone, which nobody waits for, and cannot fail.
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
