// A stream in time has a timer while its reader waits, and at no other time: whatever its reader does, nothing stays behind.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTime, TooSlow } from "../src/calls/call-end.ts";

/** No other timer of this process, which other tests share, waits as long. */
const maxMs = 1237;

/** The timers of this duration that have not been cleared. */
let timers: () => number;

beforeEach(() => {
  vi.useFakeTimers();
  const started = vi.spyOn(globalThis, "setTimeout");
  const cleared = vi.spyOn(globalThis, "clearTimeout");
  timers = () => {
    const ended = new Set<unknown>(cleared.mock.calls.map(([timer]) => timer));
    return started.mock.results.filter(
      ({ value }, call) => started.mock.calls[call]?.[1] === maxMs && !ended.has(value),
    ).length;
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Gives the numbers below `count`, then waits for ever, or ends. */
async function* numbers(count: number, end: "ends" | "waits" | "fails" = "ends"): AsyncGenerator<number> {
  for (let value = 0; value < count; value += 1) yield value;
  if (end === "fails") throw new Error("broken off");
  if (end === "waits") await new Promise(() => {});
}

const readers: readonly (readonly [string, (stream: AsyncGenerator<number>) => Promise<unknown>])[] = [
  ["never reads", async () => undefined],
  ["stops before the first item", (stream) => stream.return(undefined)],
  ["reads one item and forgets the stream", (stream) => stream.next()],
  [
    "reads one item and stops",
    async (stream) => {
      await stream.next();
      await stream.return(undefined);
    },
  ],
  [
    "reads one item and throws",
    async (stream) => {
      for await (const _ of stream) throw new Error("refused");
    },
  ],
  ["reads all", (stream) => Array.fromAsync(stream)],
];

describe.each(["ends", "fails", "waits"] as const)("a stream that %s", (end) => {
  it.each(readers)("leaves no timer behind a reader that %s", async (name, read) => {
    const reading = read(inTime(numbers(3, end), maxMs)).catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(0);
    const waits = name === "reads all" && end === "waits";
    expect(timers()).toBe(waits ? 1 : 0);
    await vi.advanceTimersByTimeAsync(maxMs);
    expect(timers()).toBe(0);
    expect((await reading) instanceof TooSlow).toBe(waits);
  });
});

it("limits the wait for each item, and not the time between reads", async () => {
  const stream = inTime(numbers(2, "waits"), maxMs);
  expect(await stream.next()).toEqual({ done: false, value: 0 });
  await vi.advanceTimersByTimeAsync(5 * maxMs);
  expect(await stream.next()).toEqual({ done: false, value: 1 });
  const late = stream.next().catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(maxMs - 1);
  expect(timers()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toBeInstanceOf(TooSlow);
});

it("stops the source with its reader", async () => {
  const source = numbers(3);
  for await (const _ of inTime(source, maxMs)) break;
  expect(await source.next()).toEqual({ done: true, value: undefined });
});
