// The links of a run: one per set of settings, open from before the first round until after the last.
import type { LinkFacts, Link } from "./link.ts";
import type { ChosenKind } from "./link-kinds.ts";
import { linkKey, type LinkSettings } from "../study/link-settings.ts";

export interface OpenLinks extends AsyncDisposable {
  /** Why a better kind was not chosen; empty if the kind was requested by name. */
  readonly why: string;
  /** See {@link LinkKind.caveat} and {@link Link.caveat}; without duplicates. */
  readonly caveats: readonly string[];
  /** The link with these settings. Throws if none was opened for them. */
  of(settings: LinkSettings): Link;
  readonly facts: readonly { readonly asked: LinkSettings; readonly measured: LinkFacts }[];
  /** Aborts with a RunnerError `link-lost` if any link is lost before it is closed. */
  readonly lost: AbortSignal;
}

/** No emulated links: all pairs use the machine's own network. */
export const noLinks: OpenLinks = {
  of(asked) {
    throw new Error(`no link was opened for ${linkKey(asked)}`);
  },
  facts: [],
  why: "",
  caveats: [],
  lost: new AbortController().signal,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** From this distance on, the check of a link waits for the network and hardly uses a processor, so that several can run at once. */
const farFromMs = 20;
const mostAtOnce = 6;

/**
 * Opens far links several at a time, then near ones one after the other, because each checks itself. Equal settings share a link. Rejects like {@link
 * LinkKind.open}, or with the reason of the signal; no link is open then.
 */
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
  const openAll = async (lane: LinkSettings[]): Promise<void> => {
    for (let asked = lane.shift(); asked !== undefined; asked = lane.shift()) {
      over.throwIfAborted();
      links.set(linkKey(asked), await kind.open(asked, over));
    }
  };
  // The farthest link takes longest, so it is first.
  const wanted = [...new Map(settings.map((asked) => [linkKey(asked), asked])).values()];
  const byDistance = wanted.toSorted((one, other) => other.rttMs - one.rttMs);
  const far = byDistance.filter(({ rttMs }) => rttMs >= farFromMs);
  const near = byDistance.filter(({ rttMs }) => rttMs < farFromMs);
  for (const [lane, atOnce] of [
    [far, mostAtOnce],
    [near, 1],
  ] as const) {
    const opening = Array.from({ length: atOnce }, () =>
      openAll(lane).catch((thrown: unknown) => {
        failed.abort(thrown);
      }),
    );
    await Promise.all(opening);
  }
  if (over.aborted) {
    await close();
    throw over.reason;
  }
  return {
    why,
    caveats: [...new Set([kind.caveat, ...[...links.values()].map(({ caveat }) => caveat)])].filter(
      (one) => one !== "",
    ),
    of(asked) {
      const link = links.get(linkKey(asked));
      if (link === undefined) throw new Error(`no link was opened for ${linkKey(asked)}`);
      return link;
    },
    // In the order of the settings, not of opening.
    facts: wanted.flatMap((asked) => {
      const link = links.get(linkKey(asked));
      return link === undefined ? [] : [{ asked, measured: link.facts }];
    }),
    lost: AbortSignal.any([...links.values()].map(({ lost }) => lost)),
    [Symbol.asyncDispose]: close,
  };
}
