// A network between a client and a server: where each end is, how processes get there, and what was measured of the way between.
import type { LinkSettings } from "./link-settings.ts";

/** What a run knows of a network. */
export interface LinkFacts {
  readonly kind: string;
  /** Median round-trip time of one byte over TCP: measured, not asked for. */
  readonly rttMs: number;
  /** Largest packet; 0 when the system does not tell. */
  readonly mtuBytes: number;
}

/** One end of a link. */
export interface LinkEnd {
  /** What servers at this end listen on, and clients at the other reach them by. */
  readonly host: string;
  /** The command that runs another one at this end, as the words before it; empty where every process of the machine is there already. */
  readonly enter: readonly string[];
}

/** A network that is up. Whoever opens it closes it; it goes with the process that opened it in any case. */
export interface Link extends AsyncDisposable {
  readonly settings: LinkSettings;
  readonly facts: LinkFacts;
  readonly server: LinkEnd;
  readonly client: LinkEnd;
}

/** A way to have a network. */
export interface LinkKind {
  readonly name: string;
  /** What it is, in a few words. */
  readonly title: string;
  /** Why this machine cannot have it, and what would help; undefined where it can. */
  unavailable(): Promise<string | undefined>;
  /** Why these settings cannot be had in this way; undefined where they can. */
  refuses(settings: LinkSettings): string | undefined;
  /** Rejects with a RunnerError `link-unavailable`, or `link-faulty` when what came up is not what was asked for. */
  open(settings: LinkSettings): Promise<Link>;
}
