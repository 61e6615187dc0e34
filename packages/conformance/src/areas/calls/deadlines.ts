// Deadlines and cancellation: the caller gets its error in time, and the handler's signal aborts.
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { firstCall, greetingBy, hanging } from "../../support/handlers.ts";
import type { CallContext } from "@roundtrip/contract";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectExpired } from "../../case/expectations.ts";

const { sayHello } = HelloService.method;

/** Serves a handler that answers at once and keeps the context of each call. */
async function counting(run: CaseRun) {
  const contexts: CallContext[] = [];
  const handlers = greetingBy((name, context) => {
    contexts.push(context);
    return name;
  });
  return { ...(await run.serve(handlers)), contexts };
}

/** The cases RT-05xx. */
export const deadlineCases = casesIn("deadlines", ["hello", "server"], {
  "RT-0501 a call that is answered within its deadline succeeds": needing(["hello"], async (run) => {
    const answer = await run.call(sayHello, { name: "World" }, { timeoutMs: 30_000 });
    expectEqual(answer.message, "Hello, World!", "message");
  }),
  async "RT-0502 a call that takes longer than its deadline is DEADLINE_EXCEEDED, and its handler's signal aborts"(
    run,
  ) {
    const { call, aborted, hasBegun } = await hanging(run);
    await call(sayHello, firstCall);
    await expectExpired((timeoutMs) => call(sayHello, { name: "World" }, { timeoutMs }), hasBegun);
    await aborted;
  },
  async "RT-0503 a call whose deadline has passed is DEADLINE_EXCEEDED, and no handler runs"(run) {
    const { call, contexts } = await counting(run);
    await expectError(call(sayHello, { name: "late" }, { timeoutMs: 0 }), "DEADLINE_EXCEEDED");
    await expectError(call(sayHello, { name: "later" }, { timeoutMs: -1 }), "DEADLINE_EXCEEDED");
    await call(sayHello, { name: "in time" });
    expectEqual(contexts.length, 1, "handlers run");
  },
  async "RT-0504 a call that its caller cancels is CANCELLED, and its handler's signal aborts"(run) {
    const { call, begun, aborted } = await hanging(run);
    const controller = new AbortController();
    const failed = expectError(call(sayHello, { name: "World" }, { signal: controller.signal }), "CANCELLED");
    await begun;
    controller.abort();
    await failed;
    await aborted;
  },
  async "RT-0505 a call that was cancelled before it began is CANCELLED, and no handler runs"(run) {
    const { call, contexts } = await counting(run);
    await expectError(call(sayHello, { name: "never" }, { signal: AbortSignal.abort() }), "CANCELLED");
    await call(sayHello, { name: "now" });
    expectEqual(contexts.length, 1, "handlers run");
  },
  async "RT-0506 a deadline and a signal that outlive the call change nothing"(run) {
    const { call, contexts } = await counting(run);
    const controller = new AbortController();
    const options = { timeoutMs: 60_000, signal: controller.signal };
    expectEqual((await call(sayHello, { name: "one" }, options)).message, "one", "message");
    controller.abort();
    expectEqual((await call(sayHello, { name: "two" })).message, "two", "message");
    expect(
      contexts.every(({ signal }) => !signal.aborted),
      "a handler was aborted after its answer",
    );
  },
  async "RT-0507 after a cancelled and an expired call, other calls on the connection continue"(run) {
    const { call } = await run.serve(greetingBy((name) => (name === "hang" ? new Promise(() => {}) : name)));
    await call(sayHello, firstCall);
    const controller = new AbortController();
    const expired = expectError(call(sayHello, { name: "hang" }, { timeoutMs: 50 }), "DEADLINE_EXCEEDED");
    const cancelled = expectError(call(sayHello, { name: "hang" }, { signal: controller.signal }), "CANCELLED");
    await expired;
    controller.abort();
    await cancelled;
    expectEqual((await call(sayHello, { name: "next" })).message, "next", "message");
  },
  async "RT-0508 a call without a deadline waits for its answer"(run) {
    const { call } = await run.serve(
      greetingBy(async (name) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return name;
      }),
    );
    expectEqual((await call(sayHello, { name: "patience" })).message, "patience", "message");
  },
  async "RT-0509 cancellation reaches a second server if the handler passes its signal on"(run) {
    const { begun, aborted, ...inner } = await hanging(run);
    const outer = await run.serve(
      greetingBy(async (name, { signal }) => (await inner.call(sayHello, { name }, { signal })).message),
    );
    const controller = new AbortController();
    const failed = expectError(outer.call(sayHello, { name: "World" }, { signal: controller.signal }), "CANCELLED");
    await begun;
    controller.abort();
    await failed;
    await aborted;
  },
});
