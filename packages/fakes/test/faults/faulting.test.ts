// Faults and latencies affect a call as the plan says, at the right time.
import { CallError, ConnectionCut, ServerCall, type Service } from "@roundtrip/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { faulting } from "../../src/faults/faulting.ts";
import {
  always,
  answering,
  chunksOf,
  contract,
  faulty,
  greetingOf,
  outcomeOf,
  sayHello,
  slowBy,
  unavailable,
  uploaded,
} from "./support/answering.ts";

/** The error of a call. */
async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
}

async function allOf<T>(
  values: AsyncIterable<T>,
): Promise<{ readonly values: readonly T[]; readonly thrown: unknown }> {
  const read: T[] = [];
  try {
    for await (const value of values) read.push(value);
  } catch (thrown) {
    return { values: read, thrown };
  }
  return { values: read, thrown: undefined };
}

afterEach(() => void vi.useRealTimers());

describe("latency", () => {
  it("comes before the answer and before the fault", async () => {
    vi.useFakeTimers();
    const slow = slowBy({ ms: 100 });
    for (const plan of [slow, { ...slow, ...always(unavailable) }]) {
      let isOver = false;
      const call = outcomeOf(greetingOf(faulty(plan), "Ada")).finally(() => (isOver = true));
      await vi.advanceTimersByTimeAsync(99);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(isOver).toBe(true);
      expect(await call).toBe(plan === slow ? "Hello, Ada!" : "UNAVAILABLE");
    }
  });

  it("comes from the first rule that names the operation", async () => {
    vi.useFakeTimers();
    const latencies = [
      { operation: "*.Echo", ms: 5 },
      { operation: "*", ms: 10 },
      { operation: "*", ms: 1_000 },
    ];
    const call = greetingOf(faulty({ latencies }), "Ada");
    await vi.advanceTimersByTimeAsync(10);
    expect(await call).toBe("Hello, Ada!");
  });

  it("counts against the caller's deadline, and leaves no timer behind", async () => {
    vi.useFakeTimers();
    const service = faulty(slowBy({ ms: 1_000 }));
    const calls = [
      outcomeOf(greetingOf(service, "Ada", new ServerCall(100))),
      allOf(chunksOf(service, 3, new ServerCall(100))).then(({ thrown }) => CallError.from(thrown).code),
    ];
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(calls)).toEqual(["DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends when the caller cancels, without calling the service", async () => {
    vi.useFakeTimers();
    let isAsked = false;
    const behind: Service = {
      ...answering,
      call(...asked) {
        isAsked = true;
        return answering.call(...asked);
      },
    };
    const service = faulting(contract, slowBy({ ms: 1_000 }), 1)(behind);
    const call = new ServerCall();
    const outcome = outcomeOf(greetingOf(service, "Ada", call));
    await vi.advanceTimersByTimeAsync(10);
    call.cancel();
    expect(await outcome).toBe("CANCELLED");
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(isAsked).toBe(false);
  });
});

describe("a truncated answer", () => {
  const truncate = always({ truncate: true });

  it("is the service's answer, cut", async () => {
    const service = faulty(truncate);
    expect(await thrownBy(greetingOf(service, "Ada"))).toMatchObject({ partOf: { message: "Hello, Ada!" } });
    expect((await allOf(uploaded(service, [1, 2]))).thrown).toMatchObject({ partOf: { sizeBytes: 2 } });
  });

  it("of a stream is its second message, after the first", async () => {
    const { values, thrown } = await allOf(chunksOf(faulty(truncate), 3));
    expect(values).toEqual([0]);
    expect(thrown).toMatchObject({ partOf: { data: Uint8Array.of(1) } });
  });

  it("is empty if the call fails", async () => {
    const thrown = await thrownBy(greetingOf(faulty(truncate), "nobody"));
    expect(thrown).toBeInstanceOf(ConnectionCut);
    expect(thrown).toMatchObject({ partOf: undefined });
  });
});

describe("a slow stream", () => {
  const slow = always({ "slow-stream": { ms: 100 } });

  it("waits before each message", async () => {
    vi.useFakeTimers();
    const read: number[] = [];
    const done = (async () => {
      for await (const chunk of chunksOf(faulty(slow), 3)) read.push(chunk);
    })();
    const counts: number[] = [];
    for (let step = 0; step < 3; step += 1) {
      await vi.advanceTimersByTimeAsync(99);
      counts.push(read.length);
      await vi.advanceTimersByTimeAsync(1);
      counts.push(read.length);
    }
    expect(counts).toEqual([0, 1, 1, 2, 2, 3]);
    await done;
  });

  it("does not affect operations that return one message, nor their share of other faults", async () => {
    const faults = [
      { operation: "*", "slow-stream": { ms: 100 } },
      { operation: "*", ...unavailable },
    ];
    const service = faulty({ faults });
    expect(await outcomeOf(greetingOf(service, "Ada"))).toBe("UNAVAILABLE");
    expect(contract.operation(sayHello.id).kind).toBe("unary");
  });
});
