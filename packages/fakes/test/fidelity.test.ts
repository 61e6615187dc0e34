// A fake behaves as the real service does: the same calls to both, in any order, end alike. Both start with equal content; the wording of
// errors may differ.
import { create, toJson, type JsonValue } from "@bufbuild/protobuf";
import { builtInContract, CallError, type Client } from "@roundtrip/contract";
import { ListCustomersResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService, seedCustomers } from "@roundtrip/service";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createFake } from "../src/fake/fake.ts";
import { memoryClient } from "../src/memory/memory-client.ts";

const contract = builtInContract();

type Init = Readonly<Record<string, unknown>>;

interface Step {
  /** An operation of CustomerService. */
  readonly method: string;
  readonly request: Init;
  /** Continues from the previous page of the same service. */
  readonly takesToken?: boolean;
}

/** One service, and the end of its last page. */
class Side {
  readonly #client: Client;
  #token = "";

  constructor(client: Client) {
    this.#client = client;
  }

  /** The outcome of the call: the answer, or the violations of the request. */
  async outcome({ method, request, takesToken = false }: Step): Promise<JsonValue> {
    const operation = contract.operation(`roundtrip.v1.CustomerService.${method}`);
    const asked = create(operation.input, takesToken ? { ...request, pageToken: this.#token } : request);
    try {
      const answer = await this.#client.prepare(operation)(asked);
      if (answer.$typeName !== ListCustomersResponseSchema.typeName) return toJson(operation.output, answer);
      const { nextPageToken, ...page } = toJson(operation.output, answer) as { readonly nextPageToken?: string };
      this.#token = nextPageToken ?? "";
      // Both report whether there are more pages, each with its own token.
      return { ...page, isLast: this.#token === "" };
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      const { code, details } = thrown;
      return { code, violations: details.violations.map(({ field }) => field), hasReason: details.reason !== "" };
    }
  }
}

const id = fc.oneof(fc.constantFrom(1, 2, 3, 60, 119, 120), fc.constantFrom(121, 122, 4_711, 2 ** 31 - 1, 0, -1));
const attribute = fc.constantFrom("name", "address", "vat_identification_number", "mail", "phone_number");
const text = fc.constantFrom(
  "",
  "Ada",
  "ä🙂",
  "x".repeat(200),
  "x".repeat(201),
  "NL12345",
  "ada@example.com",
  "+31 20 5550123",
);
const customer = fc.record(
  { id, name: text, address: text, vatIdentificationNumber: text, mail: text, phoneNumber: text },
  { requiredKeys: ["id"] },
);
const path = fc.oneof(
  { weight: 9, arbitrary: fc.oneof(attribute, fc.constant("id")) },
  fc.constantFrom("*", "shoe_size", ""),
);
const mask = fc.option(
  fc.array(path, { maxLength: 3 }).map((paths) => ({ paths })),
  { nil: undefined },
);
const accessor = fc.constantFrom("Name", "Address", "VatIdentificationNumber", "Mail", "PhoneNumber");

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ id, readMask: mask }).map((request) => ({ method: "GetCustomer", request })),
  fc
    .record({ pageSize: fc.constantFrom(0, 1, 7, 50, 119, 1_000, 1_001, -1), pageToken: fc.constantFrom("", "", "!") })
    .map((request) => ({ method: "ListCustomers", request })),
  fc.constantFrom(1, 30, 119).map((pageSize) => ({ method: "ListCustomers", request: { pageSize }, takesToken: true })),
  fc
    .option(customer, { nil: undefined, freq: 20 })
    .map((one) => ({ method: "CreateCustomer", request: { customer: one } })),
  fc
    .record({ customer: fc.option(customer, { nil: undefined, freq: 20 }), updateMask: mask })
    .map((request) => ({ method: "UpdateCustomer", request })),
  id.map((one) => ({ method: "DeleteCustomer", request: { id: one } })),
  fc.record({ id, newId: id }).map((request) => ({ method: "SetCustomerId", request })),
  fc.record({ id, name: accessor }).map(({ name, ...request }) => ({ method: `GetCustomer${name}`, request })),
  fc.record({ id, name: accessor, value: fc.option(text, { nil: undefined }) }).map(({ name, value, ...request }) => ({
    method: `SetCustomer${name}`,
    request: { ...request, [`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`]: value },
  })),
);

/** Both services, with the same customers. */
async function sides(): Promise<readonly [real: Side, fake: Side]> {
  const real = realService(contract);
  const fake = createFake({ contract });
  const made = new Side(memoryClient(() => fake.service));
  for (const one of seedCustomers()) {
    await made.outcome({ method: "UpdateCustomer", request: { customer: one, updateMask: { paths: ["*"] } } });
  }
  return [new Side(memoryClient(() => real)), made];
}

it("ends the same calls alike, after any calls before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const [real, fake] = await sides();
      for (const one of steps) expect(await fake.outcome(one)).toEqual(await real.outcome(one));
    }),
    { numRuns: 60 },
  );
});
