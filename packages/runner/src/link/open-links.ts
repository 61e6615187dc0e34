// The links of a run: one for each set of settings that its arms have, open from before the first round until after the last.
import type { LinkFacts, Link } from "./link.ts";
import type { ChosenKind } from "./link-kinds.ts";
import { linkKey, type LinkSettings } from "./link-settings.ts";

/** Links that are up. */
export interface OpenLinks extends AsyncDisposable {
  /** Why they are of this kind, and none that would have been better; empty when it was asked for by name. */
  readonly why: string;
  /** See {@link LinkKind.caveat}. */
  readonly caveat: string;
  /** The link with these settings. Throws when none was opened for them. */
  of(settings: LinkSettings): Link;
  readonly facts: readonly { readonly asked: LinkSettings; readonly measured: LinkFacts }[];
  /** Aborts with a RunnerError `link-lost` when any of them goes before it is closed. */
  readonly lost: AbortSignal;
}

/** Every pair of processes is on the machine as it is. */
export const noLinks: OpenLinks = {
  of(asked) {
    throw new Error(`no link was opened for ${linkKey(asked)}`);
  },
  facts: [],
  why: "",
  caveat: "",
  lost: new AbortController().signal,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Opens one after the other: each looks at itself, and another's traffic would be in its way. Rejects as {@link LinkKind.open} does, and when
 * the signal aborts. */
export async function openLinks(
  { kind, why }: ChosenKind,
  settings: readonly LinkSettings[],
  signal: AbortSignal,
): Promise<OpenLinks> {
  const links = new Map<string, Link>();
  const close = async (): Promise<void> => {
    await Promise.all([...links.values()].map((link) => link[Symbol.asyncDispose]()));
  };
  try {
    for (const asked of settings) {
      signal.throwIfAborted();
      const key = linkKey(asked);
      if (!links.has(key)) links.set(key, await kind.open(asked));
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    why,
    caveat: kind.caveat,
    of(asked) {
      const link = links.get(linkKey(asked));
      if (link === undefined) throw new Error(`no link was opened for ${linkKey(asked)}`);
      return link;
    },
    facts: [...links.values()].map((link) => ({ asked: link.settings, measured: link.facts })),
    lost: AbortSignal.any([...links.values()].map(({ lost }) => lost)),
    [Symbol.asyncDispose]: close,
  };
}
