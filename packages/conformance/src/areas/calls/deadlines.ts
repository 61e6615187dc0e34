// Deadlines and cancellation: the caller gets its error in time, and the handler's signal aborts.
import { create } from "@bufbuild/protobuf";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { firstCall, hanging } from "../../support/hanging.ts";
import { handlersOf, type Handlers, type CallContext } from "@roundtrip/contract";
import { casesIn } from "../../case/case.ts";
import { expect, expectEqual, expectError } from "../../case/expectations.ts";

const { sayHello } = HelloService.method;

/** A handler that answers at once and counts. */
function counting(): { readonly handlers: Handlers; readonly contexts: readonly CallContext[] } {
  const contexts: CallContext[] = [];
  const handlers = handlersOf(HelloService, {
    sayHello({ name }, context) {
      contexts.push(context);
      return create(SayHelloResponseSchema, { message: name });
    },
  });
  return { handlers, contexts };
}

/** The cases RT-05xx. */
export const deadlineCases = casesIn("deadlines", [
  {
    id: "RT-0501",
    level: "MUST",
    title: "a call that is answered within its deadline succeeds",
    needs: ["hello"],
    async run(run) {
      const answer = await run.call(sayHello, { name: "World" }, { timeoutMs: 4_000 });
      expectEqual(answer.message, "Hello, World!", "message");
    },
  },
  {
    id: "RT-0502",
    level: "MUST",
    title: "a call that takes longer than its deadline is DEADLINE_EXCEEDED, and its handler's signal aborts",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, aborted, hasBegun } = hanging();
      const { call } = await run.serve(handlers);
      await call(sayHello, firstCall);
      // On a busy machine, the deadline can pass before the handler starts.
      for (const timeoutMs of [100, 300, 900]) {
        // oxlint-disable-next-line no-await-in-loop
        await expectError(call(sayHello, { name: "World" }, { timeoutMs }), "DEADLINE_EXCEEDED");
        if (hasBegun()) break;
      }
      await aborted;
    },
  },
  {
    id: "RT-0503",
    level: "MUST",
    title: "a call whose deadline has passed is DEADLINE_EXCEEDED, and no handler runs",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, contexts } = counting();
      const { call } = await run.serve(handlers);
      await expectError(call(sayHello, { name: "late" }, { timeoutMs: 0 }), "DEADLINE_EXCEEDED");
      await expectError(call(sayHello, { name: "later" }, { timeoutMs: -1 }), "DEADLINE_EXCEEDED");
      await call(sayHello, { name: "in time" });
      expectEqual(contexts.length, 1, "handlers run");
    },
  },
  {
    id: "RT-0504",
    level: "MUST",
    title: "a call that its caller cancels is CANCELLED, and its handler's signal aborts",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, begun, aborted } = hanging();
      const { call } = await run.serve(handlers);
      const controller = new AbortController();
      const failed = expectError(call(sayHello, { name: "World" }, { signal: controller.signal }), "CANCELLED");
      await begun;
      controller.abort();
      await failed;
      await aborted;
    },
  },
  {
    id: "RT-0505",
    level: "MUST",
    title: "a call that was cancelled before it began is CANCELLED, and no handler runs",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, contexts } = counting();
      const { call } = await run.serve(handlers);
      await expectError(call(sayHello, { name: "never" }, { signal: AbortSignal.abort() }), "CANCELLED");
      await call(sayHello, { name: "now" });
      expectEqual(contexts.length, 1, "handlers run");
    },
  },
  {
    id: "RT-0506",
    level: "MUST",
    title: "a deadline and a signal that outlive the call change nothing",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, contexts } = counting();
      const { call } = await run.serve(handlers);
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
  },
  {
    id: "RT-0507",
    level: "MUST",
    title: "after a cancelled and an expired call, other calls on the connection continue",
    needs: ["hello", "server"],
    async run(run) {
      const handlers = handlersOf(HelloService, {
        sayHello: ({ name }) =>
          name === "hang" ? new Promise(() => {}) : create(SayHelloResponseSchema, { message: name }),
      });
      const { call } = await run.serve(handlers);
      await call(sayHello, firstCall);
      const controller = new AbortController();
      const expired = expectError(call(sayHello, { name: "hang" }, { timeoutMs: 50 }), "DEADLINE_EXCEEDED");
      const cancelled = expectError(call(sayHello, { name: "hang" }, { signal: controller.signal }), "CANCELLED");
      await expired;
      controller.abort();
      await cancelled;
      expectEqual((await call(sayHello, { name: "next" })).message, "next", "message");
    },
  },
  {
    id: "RT-0508",
    level: "MUST",
    title: "a call without a deadline waits for its answer",
    needs: ["hello", "server"],
    async run(run) {
      const { call } = await run.serve(
        handlersOf(HelloService, {
          async sayHello({ name }) {
            await new Promise((resolve) => setTimeout(resolve, 300));
            return create(SayHelloResponseSchema, { message: name });
          },
        }),
      );
      expectEqual((await call(sayHello, { name: "patience" })).message, "patience", "message");
    },
  },
  {
    id: "RT-0509",
    level: "MUST",
    title: "cancellation reaches a second server if the handler passes its signal on",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, begun, aborted } = hanging();
      const inner = await run.serve(handlers);
      const outer = await run.serve(
        handlersOf(HelloService, { sayHello: ({ name }, { signal }) => inner.call(sayHello, { name }, { signal }) }),
      );
      const controller = new AbortController();
      const failed = expectError(outer.call(sayHello, { name: "World" }, { signal: controller.signal }), "CANCELLED");
      await begun;
      controller.abort();
      await failed;
      await aborted;
    },
  },
]);
