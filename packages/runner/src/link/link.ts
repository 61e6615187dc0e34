// A network between a client and a server: its ends, how to start processes there, and its measured properties.
import type { LeftOutReason, LinkLimit } from "@roundtrip/runs";
import type { LinkSettings, TcpNeed } from "../study/link-settings.ts";

export interface LinkFacts {
  readonly kind: string;
  /** The measured median round-trip time of one byte over TCP. */
  readonly rttMs: number;
  /** The largest packet; 0 if the system does not report it. */
  readonly mtuBytes: number;
  /** What it does not emulate; absent without limits. */
  readonly limits?: readonly LinkLimit[];
}

export interface LinkEnd {
  /** The address that servers at this end listen on. */
  readonly host: string;
  /** The command that runs another one at this end, as the words before it; empty if the end is this machine itself. */
  readonly commandPrefix: readonly string[];
}

/** A client's route to one server. Close it after the last call. */
export interface LinkRoute extends AsyncDisposable {
  readonly url: string;
}

/** An open network. Whoever opens it closes it; it also ends with the process that opened it. */
export interface Link extends AsyncDisposable {
  readonly settings: LinkSettings;
  readonly facts: LinkFacts;
  readonly server: LinkEnd;
  readonly client: LinkEnd;
  /** Opens a route from the client's end to the server that listens at this URL at the other end. */
  reach(url: string): Promise<LinkRoute>;
  /** Aborts with a RunnerError `link-lost` if the network is lost before it is closed. */
  readonly lost: AbortSignal;
}

/** The settings and needs of all tasks of a run. */
export interface LinkDemand {
  readonly settings: readonly LinkSettings[];
  readonly needs: readonly TcpNeed[];
}

export interface LinkKind {
  readonly name: string;
  /** Its rank for `auto`: the lowest is tried first. */
  readonly order: number;
  /** Why this machine does not support the kind, and what would help; undefined if it does. */
  unavailable(): Promise<string | undefined>;
  /** Why the kind does not support this demand; undefined if it does. */
  refuses(demand: LinkDemand): string | undefined;
  /** Why this machine does not support these settings though it supports the kind; undefined if it supports all. */
  lacks(settings: LinkSettings): Promise<LeftOutReason | undefined>;
  /** Rejects with `link-unavailable`, with `link-faulty` if the network differs from its settings, and soon after the signal aborts; no link stays. */
  open(settings: LinkSettings, signal: AbortSignal): Promise<Link>;
}

export function directRoute(url: string): Promise<LinkRoute> {
  return Promise.resolve({ url, [Symbol.asyncDispose]: () => Promise.resolve() });
}
