// Concurrency: calls on one client do not affect each other.
import { create } from "@bufbuild/protobuf";
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { handlersOf } from "@roundtrip/contract";
import { textAttributes } from "../../support/attributes.ts";
import { casesIn, needing } from "../../case/case.ts";
import { fullCustomer, someCustomer } from "../../support/customers.ts";
import { expectEqual, expectError } from "../../case/expectations.ts";

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
      handlersOf(HelloService, {
        async sayHello({ name }) {
          // The later the caller, the sooner the answer.
          const index = Number(name.split(" ")[1]);
          await new Promise((resolve) => setTimeout(resolve, callers - index));
          return create(SayHelloResponseSchema, { message: name });
        },
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
