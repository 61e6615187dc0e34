// Calls at once, and calls while a server shuts down.
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { fullCustomer, someCustomer, textAttributes } from "../../support/customers.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expectEqual, expectError } from "../../case/expectations.ts";
import { type CaseRun, type CaseServerOptions, markHandled } from "../../case/case-run.ts";
import { greetingBy, hanging } from "../../support/handlers.ts";

// Concurrency: calls on one client do not affect each other.

const { sayHello } = HelloService.method;
const { getCustomer } = CustomerService.method;

const callers = 100;
const names = Array.from({ length: callers }, (_, index) => `caller ${index}`);

/** The cases RT-07xx. */
export const concurrencyCases = casesIn("concurrency", ["hello"], {
  async "RT-0701 a hundred concurrent calls on one client each get their own answer"(run) {
    const answers = await Promise.all(names.map((name) => run.call(sayHello, { name })));
    const messages = answers.map(({ message }) => message);
    expectEqual(
      messages,
      names.map((name) => `Hello, ${name}!`),
      "messages",
    );
  },
  "RT-0702 answers that overtake each other reach their own callers": needing(["hello", "server"], async (run) => {
    const { call } = await run.serve(
      greetingBy(async (name) => {
        // The later the caller, the sooner the answer.
        const index = Number(name.split(" ")[1]);
        await new Promise((resolve) => setTimeout(resolve, callers - index));
        return name;
      }),
      { connections: 10 },
    );
    const answers = await Promise.all(names.map((name) => call(sayHello, { name })));
    const messages = answers.map(({ message }) => message);
    expectEqual(messages, names, "messages");
  }),
  async "RT-0703 of a hundred concurrent calls, exactly those that fail get an error"(run) {
    await Promise.all(
      names.map(async (name, index) => {
        if (index % 2 === 0) return expectError(run.call(sayHello, { name: "" }), "INVALID_ARGUMENT");
        return expectEqual((await run.call(sayHello, { name })).message, `Hello, ${name}!`, "message");
      }),
    );
  },
  "RT-0704 all attributes read at once are those of the customer": needing(["customers"], async (run) => {
    const { id } = await someCustomer(run);
    const values = await Promise.all(textAttributes.map(({ get }) => get(run, id)));
    expectEqual(
      values,
      textAttributes.map(({ key }) => fullCustomer[key]),
      "attributes",
    );
  }),
  "RT-0705 all attributes written at once are all written": needing(["customers"], async (run) => {
    const { id } = await someCustomer(run);
    await Promise.all(textAttributes.map(({ set, other }) => set(run, id, other)));
    const read = await run.call(getCustomer, { id });
    const got = textAttributes.map(({ key }) => read[key]);
    expectEqual(
      got,
      textAttributes.map(({ other }) => other),
      "attributes",
    );
  }),
});

// Shutdown: a stopping server finishes calls in flight and accepts no new ones.

/** Serves a handler that answers when the gate opens. */
async function gated(run: CaseRun, settings?: CaseServerOptions) {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = await run.serve(
    greetingBy(async (name) => {
      begun.resolve();
      await gate.promise;
      return name;
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
