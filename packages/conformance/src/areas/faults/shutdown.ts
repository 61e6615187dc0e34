// Shutdown: a stopping server finishes calls in flight and accepts no new ones.
import { create } from "@bufbuild/protobuf";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { handlersOf, type Handlers } from "@roundtrip/contract";
import { casesIn } from "../../case/case.ts";
import { expectEqual, expectError } from "../../case/expectations.ts";
import { hanging } from "../../support/hanging.ts";
import { markHandled } from "../../case/mark-handled.ts";

const { sayHello } = HelloService.method;

/** A handler that answers when the gate opens. */
function gated(): { readonly handlers: Handlers; readonly begun: Promise<void>; readonly open: () => void } {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const handlers = handlersOf(HelloService, {
    async sayHello({ name }) {
      begun.resolve();
      await gate.promise;
      return create(SayHelloResponseSchema, { message: name });
    },
  });
  return { handlers, begun: begun.promise, open: () => gate.resolve() };
}

/** The cases RT-08xx. */
export const shutdownCases = casesIn("shutdown", [
  {
    id: "RT-0801",
    level: "MUST",
    title: "a call in flight when the server stops is answered",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, begun, open } = gated();
      const { call, stop } = await run.serve(handlers);
      const answer = call(sayHello, { name: "in flight" });
      await begun;
      const stopped = stop();
      // Long enough for a server to cut the call off.
      await new Promise((resolve) => setTimeout(resolve, 50));
      open();
      expectEqual((await answer).message, "in flight", "message");
      await stopped;
    },
  },
  {
    id: "RT-0802",
    level: "MUST",
    title: "a call after the server has stopped is UNAVAILABLE",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, open } = gated();
      open();
      const { call, stop } = await run.serve(handlers);
      expectEqual((await call(sayHello, { name: "before" })).message, "before", "message");
      await stop();
      await expectError(call(sayHello, { name: "after" }), "UNAVAILABLE");
    },
  },
  {
    id: "RT-0803",
    level: "MUST",
    title:
      "a call that outlasts the grace period is cut off as UNAVAILABLE, its handler's signal aborts, and the server stops",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, begun, aborted } = hanging();
      const { call, stop } = await run.serve(handlers, { shutdownGraceMs: 100 });
      const failed = expectError(call(sayHello, { name: "hang" }), "UNAVAILABLE");
      await begun;
      await stop();
      await failed;
      await aborted;
    },
  },
  {
    id: "RT-0804",
    level: "MUST",
    title: "a server with idle connections stops at once",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, open } = gated();
      open();
      // A grace period beyond the case's time limit: waiting for it fails.
      const { call, connect, stop } = await run.serve(handlers, { shutdownGraceMs: 60_000 });
      await call(sayHello, { name: "one connection" });
      await connect();
      await stop();
    },
  },
  {
    id: "RT-0805",
    level: "MUST",
    title: "a client that closes waits for its calls in flight",
    needs: ["hello", "server"],
    async run(run) {
      const { handlers, begun, open } = gated();
      const { call, client } = await run.serve(handlers);
      const answer = call(sayHello, { name: "in flight" });
      await begun;
      const closed = markHandled(client.close());
      await new Promise((resolve) => setTimeout(resolve, 50));
      open();
      expectEqual((await answer).message, "in flight", "message");
      await closed;
    },
  },
  {
    id: "RT-0806",
    level: "MUST",
    title: "closing a client twice has no further effect",
    needs: ["hello"],
    async run({ client }) {
      await client.close();
      await client.close();
    },
  },
]);
