// Shutdown: a stopping server finishes calls in flight and accepts no new ones.
import { create } from "@bufbuild/protobuf";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { handlersOf } from "@roundtrip/contract";
import type { CaseRun, CaseServerOptions } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expectEqual, expectError } from "../../case/expectations.ts";
import { hanging } from "../../support/hanging.ts";
import { markHandled } from "../../case/mark-handled.ts";

const { sayHello } = HelloService.method;

/** Serves a handler that answers when the gate opens. */
async function gated(run: CaseRun, settings?: CaseServerOptions) {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = await run.serve(
    handlersOf(HelloService, {
      async sayHello({ name }) {
        begun.resolve();
        await gate.promise;
        return create(SayHelloResponseSchema, { message: name });
      },
    }),
    settings,
  );
  return { ...server, begun: begun.promise, open: () => gate.resolve() };
}

/** The cases RT-08xx. */
export const shutdownCases = casesIn("shutdown", ["hello", "server"], {
  async "RT-0801 a call in flight when the server stops is answered"(run) {
    const { call, stop, begun, open } = await gated(run);
    const answer = call(sayHello, { name: "in flight" });
    await begun;
    const stopped = stop();
    // Long enough for a server to cut the call off.
    await new Promise((resolve) => setTimeout(resolve, 50));
    open();
    expectEqual((await answer).message, "in flight", "message");
    await stopped;
  },
  async "RT-0802 a call after the server has stopped is UNAVAILABLE"(run) {
    const { call, stop, open } = await gated(run);
    open();
    expectEqual((await call(sayHello, { name: "before" })).message, "before", "message");
    await stop();
    await expectError(call(sayHello, { name: "after" }), "UNAVAILABLE");
  },
  async "RT-0803 a call that outlasts the grace period is cut off as UNAVAILABLE, its handler's signal aborts, and the server stops"(
    run,
  ) {
    const { call, stop, begun, aborted } = await hanging(run, { shutdownGraceMs: 100 });
    const failed = expectError(call(sayHello, { name: "hang" }), "UNAVAILABLE");
    await begun;
    await stop();
    await failed;
    await aborted;
  },
  async "RT-0804 a server with idle connections stops at once"(run) {
    // A grace period beyond the case's time limit: waiting for it fails.
    const { call, connect, stop, open } = await gated(run, { shutdownGraceMs: 120_000 });
    open();
    await call(sayHello, { name: "one connection" });
    await connect();
    await stop();
  },
  async "RT-0805 a client that closes waits for its calls in flight"(run) {
    const { call, client, begun, open } = await gated(run);
    const answer = call(sayHello, { name: "in flight" });
    await begun;
    const closed = markHandled(client.close());
    await new Promise((resolve) => setTimeout(resolve, 50));
    open();
    expectEqual((await answer).message, "in flight", "message");
    await closed;
  },
  "RT-0806 closing a client twice has no further effect": needing(["hello"], async ({ client }) => {
    await client.close();
    await client.close();
  }),
});
