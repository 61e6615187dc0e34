// How the links of a run are opened: far ones side by side, near ones alone, and all of them or none.
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Link, type LinkKind, directRoute } from "../src/link/link.ts";
import { linkDefaults, type LinkSettings } from "../src/study/link-settings.ts";
import { openLinks } from "../src/link/open-links.ts";

const at = (rttMs: number): LinkSettings => ({ ...linkDefaults, rttMs });

/** A kind that keeps count of what is being opened, and of what is open. */
function countingKind(opening: (settings: LinkSettings, signal: AbortSignal) => Promise<void>) {
  const seen = { opened: [] as number[], beside: new Map<number, number>(), open: 0, atOnce: 0 };
  const kind: LinkKind = {
    name: "counting",
    order: 1,
    unavailable: () => Promise.resolve(undefined),
    refuses: () => undefined,
    lacks: () => Promise.resolve(undefined),
    async open(settings, signal): Promise<Link> {
      seen.atOnce += 1;
      seen.beside.set(settings.rttMs, seen.atOnce);
      try {
        await opening(settings, signal);
      } finally {
        seen.atOnce -= 1;
      }
      seen.opened.push(settings.rttMs);
      seen.open += 1;
      const end = { host: "127.0.0.1", commandPrefix: [] };
      return {
        settings,
        facts: { kind: "counting", rttMs: settings.rttMs, mtuBytes: 0 },
        client: end,
        server: end,
        reach: directRoute,
        lost: new AbortController().signal,
        [Symbol.asyncDispose]: () => {
          seen.open -= 1;
          return Promise.resolve();
        },
      };
    },
  };
  return { seen, chosen: { kind, why: "" } };
}

const never = new AbortController().signal;

it("far ones are opened side by side, near ones one after the other, equal ones once; facts keep the order asked for", async () => {
  const { seen, chosen } = countingKind(() => setTimeout(5));
  await using links = await openLinks(chosen, [at(1), at(5), at(200), at(50), at(1)], never);
  expect(seen.opened).toHaveLength(4);
  expect(seen.opened.slice(2)).toEqual([5, 1]);
  expect(Object.fromEntries(seen.beside)).toEqual({ 200: 1, 50: 2, 5: 1, 1: 1 });
  expect(links.facts.map(({ asked }) => asked.rttMs)).toEqual([1, 5, 200, 50]);
});

it("one that cannot be opened is reported, and none stays open", async () => {
  const fault = new Error("no such link");
  const { seen, chosen } = countingKind(async ({ rttMs }) => {
    await setTimeout(rttMs / 10);
    if (rttMs === 50) throw fault;
  });
  await expect(openLinks(chosen, [at(200), at(50), at(1)], never)).rejects.toBe(fault);
  expect(seen).toMatchObject({ open: 0, atOnce: 0 });
  expect(seen.opened).not.toContain(1);
});
