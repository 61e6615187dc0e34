// When a link is accepted, compensated for the lateness of its emulator, or refused.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openWithin } from "../src/link/check.ts";
import { type Link, directRoute } from "../src/link/link.ts";
import { linkDefaults } from "../src/study/link-settings.ts";

const settings = { ...linkDefaults, rttMs: 20 };
const never = new AbortController().signal;

/** Links whose fastest round trip is `rttOf(emulatedMs)`, and whose median is later by `slowMs`. */
function emulator(rttOf: (emulatedMs: number) => number, slowMs = 0) {
  const opened: number[] = [];
  let isOpen = 0;
  let measured = 0;
  const open = (emulatedMs: number): Promise<Link> => {
    opened.push(emulatedMs);
    isOpen += 1;
    const end = { host: "127.0.0.1", commandPrefix: [] };
    return Promise.resolve({
      settings,
      facts: { kind: "fake", rttMs: Number.NaN, mtuBytes: 0 },
      caveat: "",
      client: end,
      server: end,
      reach: directRoute,
      lost: never,
      [Symbol.asyncDispose]: () => {
        isOpen -= 1;
        return Promise.resolve();
      },
    });
  };
  const measure = () => {
    measured += 1;
    const leastRttMs = rttOf(opened.at(-1) ?? Number.NaN);
    return Promise.resolve({ leastRttMs, rttMs: leastRttMs + slowMs });
  };
  const result = { opened, isOpen: () => isOpen, measured: () => measured };
  return { ...result, openLink: (signal = never) => openWithin(settings, open, signal, { measure, patienceMs: 0 }) };
}

it("opens a late one once more, with a distance that is shorter by as much", async () => {
  const { openLink, opened, isOpen } = emulator((ms) => ms + 0.6);
  expect((await openLink()).facts.rttMs).toBeCloseTo(20);
  expect(opened).toEqual([20, 19.4]);
  expect(isOpen()).toBe(1);
});

it.each([
  ["late", 23],
  ["early", 17],
])("refuses and closes a link that stays too %s", async (_, rttMs) => {
  const { openLink, opened, isOpen, measured } = emulator(() => rttMs);
  await expect(openLink()).rejects.toMatchObject({
    code: "link-faulty",
    message: `the link differs from its settings: its round trip takes ${rttMs}.00 ms and not 20.00 ms`,
  });
  expect({ opened, isOpen: isOpen(), measured: measured() }).toEqual({ opened: [20], isOpen: 0, measured: 8 });
});

it("closes the link when it is interrupted", async () => {
  const interrupting = new AbortController();
  const { openLink, isOpen } = emulator(() => 40);
  const opening = openLink(interrupting.signal);
  interrupting.abort();
  await expect(opening).rejects.toMatchObject({ name: "AbortError" });
  await sleep(0);
  expect(isOpen()).toBe(0);
});
