// A fake treats customers as the real service does: the same answers, codes, messages and details after any calls.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, CallError, ServerCall, type Operation, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { seedCustomers } from "@roundtrip/service";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { randomCases } from "../../../../.ci/seed-properties.ts";
import { CustomerStore } from "../../../service/src/customer-store.ts";
import { customerHandlers } from "../../../service/src/customer.ts";
import { generatedService } from "../../src/generated/generated-service.ts";
import { seededAtTheTop } from "../../src/resources/resource.ts";

const contract = builtInContract();

/** Ids that are free initially, some that are taken, and some that are invalid. */
const id = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1_001, max: 1_004 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1) },
);
const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom("", "Zoë", "x".repeat(201)));
const code = fc.oneof(fc.stringMatching(/^[A-Z0-9]{0,4}$/), fc.constant("lower case"));
const phone = fc.oneof(fc.stringMatching(/^[0-9+() -]{0,6}$/), fc.constant("call me"));
const attributes = ["id", "name", "address", "vat_identification_number", "mail", "phone_number"];
const mask = fc.option(
  fc.record({
    paths: fc.oneof(
      fc.subarray(attributes),
      fc.constantFrom(["*"], ["name", "shoe_size"], ["name.first"], ["mail", "mail"]),
    ),
  }),
  { nil: undefined },
);
const customer = fc.option(
  fc.record(
    { id, name: text, address: text, vatIdentificationNumber: code, mail: text, phoneNumber: phone },
    { requiredKeys: ["id"] },
  ),
  { nil: undefined, freq: 9 },
);

const requests: Readonly<Record<string, fc.Arbitrary<object>>> = {
  GetCustomer: fc.record({ id, readMask: mask }),
  ListCustomers: fc.record({
    pageSize: fc.constantFrom(0, 3, 50, 121, 2_000, -1),
    pageToken: fc.constantFrom("", "", "nonsense"),
  }),
  CreateCustomer: fc.record({ customer }),
  UpdateCustomer: fc.record({ customer, updateMask: mask }),
  DeleteCustomer: fc.record({ id }),
  // Customer 1 keeps its id, so that its made-up values can be recognised.
  SetCustomerId: fc.record({ id: id.filter((one) => one !== 1), newId: id }),
  SetCustomerName: fc.record({ id, name: text }, { requiredKeys: ["id"] }),
  SetCustomerAddress: fc.record({ id, address: text }, { requiredKeys: ["id"] }),
  SetCustomerVatIdentificationNumber: fc.record({ id, vatIdentificationNumber: code }, { requiredKeys: ["id"] }),
  SetCustomerMail: fc.record({ id, mail: text }, { requiredKeys: ["id"] }),
  SetCustomerPhoneNumber: fc.record({ id, phoneNumber: phone }, { requiredKeys: ["id"] }),
  ...Object.fromEntries(
    ["Id", "Name", "Address", "VatIdentificationNumber", "Mail", "PhoneNumber"].map((name) => [
      `GetCustomer${name}`,
      fc.record({ id }),
    ]),
  ),
};

const call = fc
  .constantFrom(...Object.keys(requests))
  .chain((name) => (requests[name] as fc.Arbitrary<object>).map((request) => ({ name, request })));

interface Outcome {
  readonly answer: Message | undefined;
  readonly failure: object | undefined;
}

async function outcomeOf(service: Service, operation: Operation, request: Message): Promise<Outcome> {
  try {
    return { answer: await service.call(operation, request, new ServerCall()), failure: undefined };
  } catch (thrown) {
    const { code: canonical, message, details } = CallError.from(thrown);
    return { answer: undefined, failure: { canonical, message, details } };
  }
}

type Page = Message & { readonly customers?: readonly { readonly id: number }[]; readonly nextPageToken?: string };

/** The comparable parts of an answer: without values of initial customers and page tokens. */
function comparable({ answer }: Outcome): unknown {
  const page: Page | undefined = answer;
  if (page?.customers !== undefined) {
    const known = page.customers.map((one) => (one.id > 1_000 ? one : one.id));
    return { customers: known, isLast: page.nextPageToken === "" };
  }
  return answer;
}

/** Whether an answer contains values of customer 1, which a fake makes up; values that calls wrote are comparable. */
function isAboutTheSeed({ request }: { readonly request: object }): boolean {
  const {
    id: asked,
    customer: given,
    newId,
  } = request as { readonly id?: number; readonly customer?: { readonly id?: number }; readonly newId?: number };
  return [asked, given?.id, newId].includes(1);
}

it("answers any sequence of calls as the real service does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 25 }), async (calls) => {
      const real = serviceOf(contract, customerHandlers(new CustomerStore(seedCustomers(seededAtTheTop))));
      const fake = generatedService(contract, 1);
      for (const one of calls) {
        const operation = contract.operation(`roundtrip.v1.CustomerService.${one.name}`);
        const request = create(operation.input, one.request as Record<string, unknown>);
        // Each call may change what the next one finds.
        // oxlint-disable-next-line no-await-in-loop
        const [expected, actual] = await Promise.all([
          outcomeOf(real, operation, request),
          outcomeOf(fake, operation, request),
        ]);
        expect(actual.failure).toEqual(expected.failure);
        if (isAboutTheSeed(one)) continue;
        expect(comparable(actual)).toEqual(comparable(expected));
      }
    }),
    { numRuns: randomCases(200) },
  );
});
