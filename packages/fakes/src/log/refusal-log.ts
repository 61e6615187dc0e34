// The latest requests that were refused before they reached an operation. They are not calls: no operation, no messages.
import type { CanonicalCode } from "@roundtrip/contract";
import type { RefusedRequest } from "@roundtrip/stacks";

export interface Refusal {
  /** The number of the refusal, from 1, over all sessions. */
  readonly index: number;
  /** The session that the request names; empty for none. */
  readonly session: string;
  /** The server that refused it, by its name among the addresses of the fake, and the title of its style. */
  readonly server: string;
  readonly style: string;
  /** The client's address, such as `127.0.0.1:54321`; empty if its connection was closed. */
  readonly client: string;
  /** For example `GET /v1/custmers/7`, without the values of the query; `a connection` for bytes that are no request. */
  readonly request: string;
  readonly outcome: CanonicalCode;
  /** The error message that the caller received. */
  readonly message: string;
  /** The operation that is most like what was asked for, and its address in the style; undefined if nothing is similar. */
  readonly nearest: RefusedRequest["nearest"];
  /** The field that is most like one that does not exist, such as `customer.mail`; undefined for other faults. */
  readonly nearestField: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A log of refusals that can be read. */
export interface ReadableRefusals {
  /** The oldest first. */
  readonly refusals: readonly Refusal[];
  /** Calls the listener for each refusal. Returns a function that removes the listener. */
  onRefusal(listener: (refusal: Refusal) => void): () => void;
}

/** Older refusals are dropped. */
const maxRefusals = 1_000;

/** One log for all sessions: clients with a fault are few, and often name no session. */
export class RefusalLog implements ReadableRefusals {
  readonly #listeners = new Set<(refusal: Refusal) => void>();
  #all: Refusal[] = [];
  #begun = 0;

  get refusals(): readonly Refusal[] {
    return this.#all;
  }

  of(session: string): readonly Refusal[] {
    return this.#all.filter((refusal) => refusal.session === session);
  }

  add(refusal: Omit<Refusal, "index">): void {
    this.#begun += 1;
    const numbered = { index: this.#begun, ...refusal };
    this.#all.push(numbered);
    if (this.#all.length > maxRefusals) this.#all.shift();
    for (const listener of this.#listeners) listener(numbered);
  }

  clear(session?: string): void {
    this.#all = session === undefined ? [] : this.#all.filter((refusal) => refusal.session !== session);
  }

  onRefusal(listener: (refusal: Refusal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * A refusal in one line: `REST GET /v1/custmers/7 from 127.0.0.1: UNIMPLEMENTED: there is nothing at …; nearest: GET /v1/customers/{id}
 * (GetCustomer)`. Without the client's port: what a client repeats has the same text.
 */
export function refusalText({ style, request, client, outcome, message, nearest, nearestField }: Refusal): string {
  // The message may name it already.
  const address = nearest === undefined || message.includes(nearest.address) ? "" : `; nearest: ${nearest.address}`;
  const operation = nearest === undefined ? "" : `${address} (${nearest.operation})`;
  const hint = nearestField === undefined ? operation : `${operation}, field ${nearestField}`;
  const from = client === "" ? "" : ` from ${client.replace(/:\d+$/, "")}`;
  const text = `${style} ${request}${from}: ${outcome}${message === "" ? "" : `: ${message}`}${hint}`;
  // A terminal would obey control characters of a caller.
  return text.replaceAll(/\p{Cc}+/gu, " ");
}
