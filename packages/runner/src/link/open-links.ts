// The links of a run: one per set of settings, open from before the first round until after the last.
import { limitConcurrency } from "../basics/concurrency.ts";
import type { LinkFacts, Link } from "./link.ts";
import type { ChosenKind } from "./link-kinds.ts";
import { linkKey, type LinkSettings } from "../study/link-settings.ts";

export interface OpenLinks extends AsyncDisposable {
  /** Why a better kind was not chosen; empty if the kind was requested by name. */
  readonly why: string;
  /** The link with these settings. Throws if none was opened for them. */
  of(settings: LinkSettings): Link;
  readonly facts: readonly { readonly asked: LinkSettings; readonly measured: LinkFacts }[];
  /** Aborts with a RunnerError `link-lost` if any link is lost before it is closed. */
  readonly lost: AbortSignal;
}

/** No emulated links: all pairs use the machine's own network. */
export const noLinks: OpenLinks = {
  of(requested) {
    throw new Error(`no link was opened for ${linkKey(requested)}`);
  },
  facts: [],
  why: "",
  lost: new AbortController().signal,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** From this distance on, the check of a link waits for the network and hardly uses a processor, so that several can run at once. */
const farFromMs = 20;
const mostAtOnce = 12;

/** Opens far links side by side, then near ones in turn, as each checks itself. Equal settings share one. Rejects with the first fault, none open. */
export async function openLinks(
  { kind, why }: ChosenKind,
  settings: readonly LinkSettings[],
  signal: AbortSignal,
): Promise<OpenLinks> {
  const links = new Map<string, Link>();
  const close = async (): Promise<void> => {
    await Promise.all([...links.values()].map((link) => link[Symbol.asyncDispose]()));
  };
  const failed = new AbortController();
  const over = AbortSignal.any([signal, failed.signal]);
  const open = async (requested: LinkSettings): Promise<void> => {
    try {
      over.throwIfAborted();
      links.set(linkKey(requested), await kind.open(requested, over));
    } catch (thrown) {
      failed.abort(thrown);
    }
  };
  const distinct = [...new Map(settings.map((requested) => [linkKey(requested), requested])).values()];
  // The farthest link takes longest, so it is first.
  const byDistance = distinct.toSorted((a, b) => b.rttMs - a.rttMs);
  const far = byDistance.filter(({ rttMs }) => rttMs >= farFromMs);
  const near = byDistance.filter(({ rttMs }) => rttMs < farFromMs);
  const inTurn = limitConcurrency(mostAtOnce);
  await Promise.all(far.map((requested) => inTurn(() => open(requested))));
  for (const requested of near) await open(requested);
  if (over.aborted) {
    await close();
    throw over.reason;
  }
  const linkOf = (requested: LinkSettings): Link => {
    const link = links.get(linkKey(requested));
    if (link === undefined) throw new Error(`no link was opened for ${linkKey(requested)}`);
    return link;
  };
  return {
    why,
    of: linkOf,
    // In the order of the settings, not of opening.
    facts: distinct.map((requested) => ({ asked: requested, measured: linkOf(requested).facts })),
    lost: AbortSignal.any([...links.values()].map(({ lost }) => lost)),
    [Symbol.asyncDispose]: close,
  };
}
