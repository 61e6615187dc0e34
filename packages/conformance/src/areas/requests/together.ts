// Together: several operations in one exchange give the same answers as separate calls.
import { create, type Message } from "@bufbuild/protobuf";
import {
  CustomerSchema,
  CustomerService,
  GetCustomerMailRequestSchema,
  GetCustomerMailResponseSchema,
  GetCustomerNameRequestSchema,
  GetCustomerNameResponseSchema,
  GetCustomerRequestSchema,
  SetCustomerNameRequestSchema,
  SetCustomerNameResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import {
  HelloService,
  SayHelloRequestSchema,
  SayHelloResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { fullCustomer, keepFree, reservedId, someCustomer } from "../../support/customers.ts";
import { expectEqual, expectError } from "../../case/expectations.ts";

const { getCustomer, getCustomerMail, getCustomerName, setCustomerName } = CustomerService.method;
const { sayHello } = HelloService.method;

type AnyMethod = (typeof CustomerService.method)[keyof typeof CustomerService.method] | typeof sayHello;

async function callTogether(
  { client, contract }: CaseRun,
  calls: readonly (readonly [method: AnyMethod, request: Message])[],
): Promise<readonly Message[]> {
  const operations = calls.map(([method]) => contract.operation(`${method.parent.typeName}.${method.name}`));
  const invoke = client.prepareTogether(operations);
  return invoke(calls.map(([, request]) => request));
}

/** The cases RT-09xx. */
export const togetherCases = casesIn("together", ["customers", "together"], {
  "RT-0901 operations called together answer in the order of their requests": needing(
    ["hello", "customers", "together"],
    async (run) => {
      const { id } = await someCustomer(run);
      const answers = await callTogether(run, [
        [getCustomerMail, create(GetCustomerMailRequestSchema, { id })],
        [sayHello, create(SayHelloRequestSchema, { name: "World" })],
        [getCustomerName, create(GetCustomerNameRequestSchema, { id })],
      ]);
      expectEqual(
        answers,
        [
          create(GetCustomerMailResponseSchema, { mail: fullCustomer.mail }),
          create(SayHelloResponseSchema, { message: "Hello, World!" }),
          create(GetCustomerNameResponseSchema, { name: fullCustomer.name }),
        ],
        "answers",
      );
    },
  ),
  async "RT-0902 the same operation called twice together keeps its two answers apart"(run) {
    const one = await someCustomer(run, { ...fullCustomer, name: "one" }, 0);
    const two = await someCustomer(run, { ...fullCustomer, name: "two" }, 1);
    const answers = await callTogether(run, [
      [getCustomer, create(GetCustomerRequestSchema, { id: two.id, readMask: { paths: ["name"] } })],
      [getCustomer, create(GetCustomerRequestSchema, { id: one.id })],
    ]);
    expectEqual(answers, [create(CustomerSchema, { name: "two" }), one], "answers");
  },
  async "RT-0903 if one of several operations fails, the exchange fails with its error"(run) {
    const { id } = await someCustomer(run);
    const missing = reservedId(run, 1);
    await keepFree(run, missing);
    const call = callTogether(run, [
      [getCustomerName, create(GetCustomerNameRequestSchema, { id })],
      [getCustomerName, create(GetCustomerNameRequestSchema, { id: missing })],
    ]);
    const { details } = await expectError(call, "NOT_FOUND");
    expectEqual(details.metadata, { id: String(missing) }, "metadata");
  },
  async "RT-0904 writes called together take effect in the order of their requests"(run) {
    const { id } = await someCustomer(run);
    const names = ["first", "second", "third"];
    const answers = await callTogether(
      run,
      names.map((name) => [setCustomerName, create(SetCustomerNameRequestSchema, { id, name })] as const),
    );
    const expected = names.map((name) => create(SetCustomerNameResponseSchema, { name }));
    expectEqual(answers, expected, "answers");
    expectEqual((await run.call(getCustomerName, { id })).name, "third", "name");
  },
});
