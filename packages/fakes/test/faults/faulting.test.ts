// What goes wrong with a call is what the plan says, in its time, and the same in every run.
import { CallError, ConnectionCut, ServerCall, type Interceptor, type Service } from "@roundtrip/contract";
import { array, assert, asyncProperty, constantFrom, integer, shuffledSubarray } from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { faulting } from "../../src/faults/faulting.ts";
import { noFaults, type Delay, type Fault, type FaultPlan, type FaultRule } from "../../src/faults/fault-plan.ts";
import { answering, chunksOf, contract, greetingOf, outcomeOf, sayHello, uploaded } from "./support/answering.ts";

const unavailable: Fault = { kind: "error", code: "UNAVAILABLE", message: "try again", details: {} };

function always(fault: Fault, operation = "*"): FaultPlan {
  return { ...noFaults, faults: [{ operation, probability: 1, fault }] };
}

function slowBy(delay: Delay, operation = "*"): FaultPlan {
  return { ...noFaults, latencies: [{ operation, delay }] };
}

function faulty(plan: FaultPlan, seed = 1) {
  return faulting(plan, seed)(answering);
}

/** What a call throws. */
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

describe("a plan", () => {
  it("leaves calls alone that no rule names", async () => {
    const service = faulty({
      ...always(unavailable, "*.Echo"),
      latencies: [{ operation: "*.Echo", delay: { kind: "constant", ms: 5 } }],
    });
    expect(await greetingOf(service, "Ada")).toBe("Hello, Ada!");
    expect((await allOf(chunksOf(service, 2))).values).toEqual([0, 1]);
  });

  it.each(["roundtrip.v1.HelloService.SayHello", "*", "roundtrip.v1.*", "*.SayHello", "*.Hello*.*", "*t*p*Hello*"])(
    "names operations by their id or by a pattern: %s",
    async (operation) => {
      expect(await outcomeOf(greetingOf(faulty(always(unavailable, operation)), "Ada"))).toBe("UNAVAILABLE");
    },
  );

  it.each(["SayHello", "roundtrip.v1.HelloService.SayHell", "*.Echo", "roundtrip.v1.HelloService.SayHello*Hello"])(
    "does not name an operation by what it is not: %s",
    async (operation) => {
      expect(await outcomeOf(greetingOf(faulty(always(unavailable, operation)), "Ada"))).toBe("Hello, Ada!");
    },
  );

  it("says nothing about what a style serves beside the contract", () => {
    expect(faulty(always(unavailable)).guard(answering)).toBe(answering);
  });
});

describe("chance", () => {
  it("gives each rule its share of the calls, and the first that is hit is the fault", async () => {
    const rules: readonly FaultRule[] = (["ABORTED", "INTERNAL"] as const).map((code, index) => ({
      operation: "*",
      probability: index === 0 ? 0.1 : 0.2,
      fault: { ...unavailable, code },
    }));
    const service = faulty({ ...noFaults, faults: rules });
    const counts = new Map<string, number>();
    for (let index = 0; index < 3_000; index += 1) {
      const outcome = await outcomeOf(greetingOf(service, `${index}`).then(() => "OK"));
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    // Five standard deviations to either side; the seed is given, so it holds always or never.
    expect(Math.abs((counts.get("ABORTED") ?? 0) - 300)).toBeLessThan(82);
    expect(Math.abs((counts.get("INTERNAL") ?? 0) - 600)).toBeLessThan(110);
  });

  it("is the same for each request and attempt, in whatever order and however many at once calls are made", async () => {
    const plan: FaultPlan = {
      faults: [{ operation: "*", probability: 0.4, fault: unavailable }],
      latencies: [{ operation: "*", delay: { kind: "uniform", fromMs: 0, toMs: 3 } }],
    };
    const outcomes = async (names: readonly string[], seed: number): Promise<Record<string, string>> => {
      const service = faulty(plan, seed);
      const made = new Map<string, number>();
      const calls = names.map(async (name) => {
        const attempt = (made.get(name) ?? 0) + 1;
        made.set(name, attempt);
        return [`${name} ${attempt}`, await outcomeOf(greetingOf(service, name))] as const;
      });
      return Object.fromEntries(await Promise.all(calls));
    };
    const names = array(constantFrom("Ada", "Bob", "Cleo"), { minLength: 1, maxLength: 12 });
    const twoOrders = names.chain((some) =>
      shuffledSubarray(some, { minLength: some.length }).map((other) => [some, other] as const),
    );
    await assert(
      asyncProperty(twoOrders, integer(), async ([one, other], seed) => {
        expect(await outcomes(other, seed)).toEqual(await outcomes(one, seed));
      }),
      { numRuns: 40 },
    );
  });

  it("gives the next attempt another chance, each session its own attempts, and every session the same", async () => {
    const interceptor: Interceptor = faulting(
      { ...noFaults, faults: [{ operation: "*", probability: 0.5, fault: unavailable }] },
      1,
    );
    const attempts = async (): Promise<readonly string[]> => {
      const service = interceptor(answering);
      const outcomes: string[] = [];
      for (let index = 0; index < 20; index += 1) outcomes.push(await outcomeOf(greetingOf(service, "Ada")));
      return outcomes;
    };
    const first = await attempts();
    expect(new Set(first)).toEqual(new Set(["Hello, Ada!", "UNAVAILABLE"]));
    expect(await attempts()).toEqual(first);
  });
});

describe("an error", () => {
  it("has the code, the message and the details that the plan gives it", async () => {
    const details = { reason: "BUSY", domain: "example.com", metadata: { queue: "7" } };
    const service = faulty(always({ kind: "error", code: "RESOURCE_EXHAUSTED", message: "too many", details }));
    const expected = new CallError("RESOURCE_EXHAUSTED", "too many", details);
    const thrown = [
      await thrownBy(greetingOf(service, "Ada")),
      (await allOf(chunksOf(service, 1))).thrown,
      (await allOf(uploaded(service, [1]))).thrown,
    ];
    for (const one of thrown) {
      expect(one).toMatchObject({ code: expected.code, message: expected.message, details: expected.details });
    }
  });
});

describe("latency", () => {
  it("comes before the answer, and before the fault", async () => {
    vi.useFakeTimers();
    const slow = slowBy({ kind: "constant", ms: 100 });
    for (const plan of [slow, { ...slow, faults: always(unavailable).faults }]) {
      let isOver = false;
      const call = outcomeOf(greetingOf(faulty(plan), "Ada")).finally(() => (isOver = true));
      await vi.advanceTimersByTimeAsync(99);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(isOver).toBe(true);
      expect(await call).toBe(plan === slow ? "Hello, Ada!" : "UNAVAILABLE");
    }
  });

  it("of the first rule that names the operation is its latency", async () => {
    vi.useFakeTimers();
    const latencies = [
      ...slowBy({ kind: "constant", ms: 5 }, "*.Echo").latencies,
      ...slowBy({ kind: "constant", ms: 10 }).latencies,
      ...slowBy({ kind: "constant", ms: 1_000 }).latencies,
    ];
    const call = greetingOf(faulty({ ...noFaults, latencies }), "Ada");
    await vi.advanceTimersByTimeAsync(10);
    expect(await call).toBe("Hello, Ada!");
  });

  it("counts against the caller's deadline, and leaves no timer behind", async () => {
    vi.useFakeTimers();
    const service = faulty(slowBy({ kind: "constant", ms: 1_000 }));
    const calls = [
      outcomeOf(greetingOf(service, "Ada", new ServerCall(100))),
      allOf(chunksOf(service, 3, new ServerCall(100))).then(({ thrown }) => CallError.from(thrown).code),
    ];
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(calls)).toEqual(["DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends when the caller goes, and the service is not asked any more", async () => {
    vi.useFakeTimers();
    let isAsked = false;
    const behind: Service = {
      ...answering,
      call(...asked) {
        isAsked = true;
        return answering.call(...asked);
      },
    };
    const service = faulting(slowBy({ kind: "constant", ms: 1_000 }), 1)(behind);
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

describe("a dropped connection", () => {
  it("comes before any answer, and is UNAVAILABLE to whoever knows no connections", async () => {
    const service = faulty(always({ kind: "drop" }));
    const thrown = [
      await thrownBy(greetingOf(service, "Ada")),
      (await allOf(chunksOf(service, 3))).thrown,
      (await allOf(uploaded(service, [1]))).thrown,
    ];
    for (const one of thrown) {
      expect(one).toBeInstanceOf(ConnectionCut);
      expect(one).toMatchObject({ code: "UNAVAILABLE", partOf: undefined });
    }
  });
});

describe("a truncated answer", () => {
  const truncate = always({ kind: "truncate" });

  it("is the one that the service would have given, cut", async () => {
    const service = faulty(truncate);
    expect(await thrownBy(greetingOf(service, "Ada"))).toMatchObject({ partOf: { message: "Hello, Ada!" } });
    expect((await allOf(uploaded(service, [1, 2]))).thrown).toMatchObject({ partOf: { sizeBytes: 2 } });
  });

  it("of a stream is its second message, after the first", async () => {
    const { values, thrown } = await allOf(chunksOf(faulty(truncate), 3));
    expect(values).toEqual([0]);
    expect(thrown).toMatchObject({ partOf: { data: Uint8Array.of(1) } });
  });

  it("of a stream without a second message is the end of the stream", async () => {
    const { values, thrown } = await allOf(chunksOf(faulty(truncate), 1));
    expect(values).toEqual([0]);
    expect(thrown).toMatchObject({ code: "UNAVAILABLE", partOf: undefined });
  });

  it("is nothing of one where the call would have failed", async () => {
    const thrown = await thrownBy(greetingOf(faulty(truncate), "nobody"));
    expect(thrown).toBeInstanceOf(ConnectionCut);
    expect(thrown).toMatchObject({ partOf: undefined });
  });
});

describe("a slow stream", () => {
  const slow = always({ kind: "slow-stream", between: { kind: "constant", ms: 100 } });

  it("has a wait before each of its messages", async () => {
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

  it("ends in the middle of a wait when the caller goes", async () => {
    vi.useFakeTimers();
    const call = new ServerCall();
    const reading = allOf(chunksOf(faulty(slow), 3, call));
    await vi.advanceTimersByTimeAsync(150);
    call.cancel();
    const { values, thrown } = await reading;
    expect([values, CallError.from(thrown).code]).toEqual([[0], "CANCELLED"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves operations alone that answer with one message, and their share of the calls to other faults", async () => {
    const faults = [...slow.faults, ...always(unavailable).faults];
    const service = faulty({ ...noFaults, faults });
    expect(await outcomeOf(greetingOf(service, "Ada"))).toBe("UNAVAILABLE");
    expect(contract.operation(sayHello.id).kind).toBe("unary");
  });
});
