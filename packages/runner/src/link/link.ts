// A network between a client and a server: its ends, how to start processes there, and its measured properties.
import type { LinkSettings, TcpNeed } from "../study/link-settings.ts";

/** What a run knows of a network. */
export interface LinkFacts {
  readonly kind: string;
  /** The measured median round-trip time of one byte over TCP. */
  readonly rttMs: number;
  /** Largest packet; 0 if the system does not report it. */
  readonly mtuBytes: number;
}

/** One end of a link. */
export interface LinkEnd {
  /** What servers at this end listen on. */
  readonly host: string;
  /** The command that runs another one at this end, as the words before it; empty where every process of the machine is there already. */
  readonly enter: readonly string[];
}

/** A client's route to one server. Close it after the last call. */
export interface LinkRoute extends AsyncDisposable {
  readonly url: string;
}

/** A network that is up. Whoever opens it closes it; it goes with the process that opened it in any case. */
export interface Link extends AsyncDisposable {
  readonly settings: LinkSettings;
  readonly facts: LinkFacts;
  /** Caveats of this link for readers of a result, in addition to those of its kind; empty if there are none. */
  readonly caveat: string;
  readonly server: LinkEnd;
  readonly client: LinkEnd;
  /** The way from the client's end to the server that listens at this URL at the other. */
  reach(url: string): Promise<LinkRoute>;
  /** Aborts with a RunnerError `link-lost` when the network goes before it is closed. */
  readonly lost: AbortSignal;
}

/** Everything that the tasks of a run ask of a network. */
export interface LinkDemand {
  readonly settings: readonly LinkSettings[];
  readonly needs: readonly TcpNeed[];
}

/** A way to have a network. */
export interface LinkKind {
  readonly name: string;
  /** Its place among the kinds that `auto` tries: the least is tried first. */
  readonly order: number;
  /** The caveat of such networks for readers of a result; empty if there is none. */
  readonly caveat: string;
  /** Why this machine cannot have it, and what would help; undefined where it can. */
  unavailable(): Promise<string | undefined>;
  /** Why this cannot be had in this way; undefined where it can. */
  refuses(demand: LinkDemand): string | undefined;
  /** What of this the machine lacks, though it has the kind as such, and what would help; undefined where it has all. */
  lacks(settings: LinkSettings): Promise<string | undefined>;
  /**
   * Rejects with a RunnerError `link-unavailable`, or `link-faulty` if the network differs from its settings; and soon after the signal
   * aborts. What was begun of the link is gone then.
   */
  open(settings: LinkSettings, signal: AbortSignal): Promise<Link>;
}

export function directRoute(url: string): Promise<LinkRoute> {
  return Promise.resolve({ url, [Symbol.asyncDispose]: () => Promise.resolve() });
}
