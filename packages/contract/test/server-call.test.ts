// What a handler and a stack may rely on while a call lasts, and that nothing of it is left over afterwards.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ServerCall } from "../src/calls/server-call.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hanging = () => new Promise<never>(() => {});
const code = (expected: string) => expect.objectContaining({ name: "CallError", code: expected });

it("rejects with DEADLINE_EXCEEDED when the deadline passes, and aborts the signal with the same error", async () => {
  const call = new ServerCall(100);
  const { signal } = call;
  const raced = call.race(hanging());
  vi.advanceTimersByTime(99);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  await expect(raced).rejects.toEqual(code("DEADLINE_EXCEEDED"));
  expect(signal.reason).toEqual(code("DEADLINE_EXCEEDED"));
});

it("rejects with CANCELLED when the caller goes away", async () => {
  const call = new ServerCall();
  const raced = call.race(hanging());
  call.cancel();
  await expect(raced).rejects.toEqual(code("CANCELLED"));
  expect(call.signal.reason).toEqual(code("CANCELLED"));
});

it("rejects with DEADLINE_EXCEEDED when a stack sees before the timer that the deadline has passed", async () => {
  const call = new ServerCall(100);
  const raced = call.race(hanging());
  call.expire();
  await expect(raced).rejects.toEqual(code("DEADLINE_EXCEEDED"));
  expect(call.signal.reason).toEqual(code("DEADLINE_EXCEEDED"));
  expect(vi.getTimerCount()).toBe(0);
});

it("ends once: what came first stays the reason", () => {
  const call = new ServerCall(100);
  call.cancel();
  vi.advanceTimersByTime(1000);
  expect(() => call.throwIfEnded()).toThrow(code("CANCELLED"));
  const late = new ServerCall(100);
  vi.advanceTimersByTime(1000);
  late.cancel();
  expect(() => late.throwIfEnded()).toThrow(code("DEADLINE_EXCEEDED"));
});

it.each([0, -1, -Infinity])("has ended before it began when %d milliseconds are left", async (timeoutMs) => {
  const call = new ServerCall(timeoutMs);
  expect(() => call.throwIfEnded()).toThrow(code("DEADLINE_EXCEEDED"));
  expect(call.signal.aborted).toBe(true);
  await expect(call.race(Promise.resolve("late"))).rejects.toEqual(code("DEADLINE_EXCEEDED"));
  expect(vi.getTimerCount()).toBe(0);
});

it.each([undefined, 2 ** 31, Infinity])("never ends by itself with a deadline of %s", (timeoutMs) => {
  const call = new ServerCall(timeoutMs);
  expect(vi.getTimerCount()).toBe(0);
  expect(() => call.throwIfEnded()).not.toThrow();
});

it("resolves like the answer, and rejects like it with a CallError", async () => {
  const call = new ServerCall(100);
  expect(await call.race(Promise.resolve(42))).toBe(42);
  await expect(call.race(Promise.reject(new Error("by accident")))).rejects.toEqual(code("INTERNAL"));
});

it("leaves no timer behind once it is finished", () => {
  const call = new ServerCall(60_000);
  expect(vi.getTimerCount()).toBe(1);
  call.finish();
  expect(vi.getTimerCount()).toBe(0);
});

it("leaves no timer behind once it is cancelled", () => {
  new ServerCall(60_000).cancel();
  expect(vi.getTimerCount()).toBe(0);
});

it("does not abort a handler whose answer is sent: connections close after answers too", () => {
  const call = new ServerCall(100);
  const { signal } = call;
  call.finish();
  call.cancel();
  vi.advanceTimersByTime(1000);
  expect(signal.aborted).toBe(false);
  expect(() => call.throwIfEnded()).not.toThrow();
});

it("rejects every race that it is in", async () => {
  const call = new ServerCall();
  const both = [call.race(hanging()), call.race(hanging())];
  call.cancel();
  for (const raced of both) await expect(raced).rejects.toEqual(code("CANCELLED"));
});

it("handles the rejection of a handler after the call has ended", async () => {
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", unhandled);
  const late = Promise.withResolvers<never>();
  const call = new ServerCall();
  const raced = call.race(late.promise);
  call.cancel();
  await expect(raced).rejects.toEqual(code("CANCELLED"));
  late.reject(new Error("too late"));
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

it("aborts the signal at once if a handler reads it after the call has ended", () => {
  const call = new ServerCall();
  call.cancel();
  expect(call.signal.aborted).toBe(true);
  expect(call.signal).toBe(call.signal);
});
