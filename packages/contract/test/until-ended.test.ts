// A stream ends with its call: reading rejects at once, and the source is stopped.
import { expect, it, vi } from "vitest";
import { untilEnded } from "../src/calls/call-end.ts";

async function* counting(upTo: number, onStop: () => void = () => {}): AsyncGenerator<number> {
  try {
    for (let value = 0; value < upTo; value += 1) yield value;
  } finally {
    onStop();
  }
}

async function* failing(): AsyncGenerator<number> {
  yield 1;
  throw new Error("no more");
}

/** A source that never comes up with anything. */
function silent(onStop: () => void): AsyncIterable<number> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: () => {
        onStop();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
}

it("passes on every value in order, and ends when the source does", async () => {
  expect(await Array.fromAsync(untilEnded(counting(4), new AbortController().signal))).toEqual([0, 1, 2, 3]);
});

it("rejects a reader that waits as soon as the signal aborts, and stops the source", async () => {
  const controller = new AbortController();
  const onStop = vi.fn<() => void>();
  const waiting = untilEnded(silent(onStop), controller.signal).next();
  controller.abort(new Error("time is up"));
  await expect(waiting).rejects.toThrow("time is up");
  expect(onStop).toHaveBeenCalledOnce();
});

it("reads nothing of a source whose call has ended already", async () => {
  const next = vi.fn<() => Promise<never>>();
  const source = { [Symbol.asyncIterator]: () => ({ next, return: () => Promise.resolve({ done: true, value: 0 }) }) };
  await expect(untilEnded(source as never, AbortSignal.abort(new Error("gone"))).next()).rejects.toThrow("gone");
  expect(next).not.toHaveBeenCalled();
});

it("stops the source when its reader stops", async () => {
  const onStop = vi.fn<() => void>();
  for await (const value of untilEnded(counting(10, onStop), new AbortController().signal)) if (value === 2) break;
  expect(onStop).toHaveBeenCalledOnce();
});

it("passes on the error of the source", async () => {
  const reader = untilEnded(failing(), new AbortController().signal);
  expect(await reader.next()).toEqual({ done: false, value: 1 });
  await expect(reader.next()).rejects.toThrow("no more");
});
