// Customers that cases create and delete, in a reserved range of ids.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { type Customer, CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import type { CaseRun } from "../case/case-run.ts";

const { createCustomer, deleteCustomer } = CustomerService.method;

export type CustomerValues = {
  readonly [K in Exclude<keyof Customer, "$typeName" | "$unknown">]?: Customer[K];
};

/** The suite uses ids from here on: a target must not have customers in this range. */
const firstReservedId = 2_000_000_000;
const idsPerCase = 1_000;

/** Every attribute set, with the lengths of the 2010 study. */
export const fullCustomer = {
  name: "Wilhelmina van der Bergh-Oosterhuizen.",
  address: "Prins Hendrikkade 33-III, 1012 TM Amsterdam, Noord-Holland",
  vatIdentificationNumber: "NL12345",
  mail: "wil@example.co.nl",
  phoneNumber: "+31 20 5550123",
} as const satisfies CustomerValues;

/** The `index`-th id of this case. */
export function reservedId(run: CaseRun, index = 0): number {
  return firstReservedId + run.caseNumber * idsPerCase + index;
}

async function removeIfThere(run: CaseRun, id: number): Promise<void> {
  try {
    await run.call(deleteCustomer, { id });
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.code !== "NOT_FOUND") throw thrown;
  }
}

/** Makes sure that the id is free, now and after the case. This also removes what an interrupted run left behind. */
export async function keepFree(run: CaseRun, id: number): Promise<void> {
  await removeIfThere(run, id);
  run.afterwards(() => removeIfThere(run, id));
}

/** Creates a customer for this case. Returns the answer. */
export async function someCustomer(
  run: CaseRun,
  attributes: Omit<CustomerValues, "id"> = fullCustomer,
  index = 0,
): Promise<Customer> {
  const id = reservedId(run, index);
  await keepFree(run, id);
  return run.call(createCustomer, { customer: { ...attributes, id } });
}

// The five attributes with a getter and a setter, in one table, so that cases cover all of them.

const m = CustomerService.method;

/** An attribute that is text, and its fine-grained calls. */
interface TextAttribute {
  /** The field's name in the contract. */
  readonly path: string;
  /** The field's name in TypeScript. */
  readonly key: "name" | "address" | "vatIdentificationNumber" | "mail" | "phoneNumber";
  /** A value unlike that of the full customer. */
  readonly other: string;
  readonly get: (run: CaseRun, id: number) => Promise<string>;
  /** Resolves to the value as the answer gives it. */
  readonly set: (run: CaseRun, id: number, value: string) => Promise<string>;
}

/** @param getter, setter have the attribute in their answers */
function attribute(
  path: string,
  key: TextAttribute["key"],
  other: string,
  [getter, setter]: readonly [DescMethodUnary, DescMethodUnary],
): TextAttribute {
  const call = async (run: CaseRun, method: DescMethodUnary, request: Record<string, unknown>): Promise<string> =>
    ((await run.call(method, request)) as unknown as Record<string, string>)[key] ?? "";
  return {
    path,
    key,
    other,
    get: (run, id) => call(run, getter, { id }),
    set: (run, id, value) => call(run, setter, { id, [key]: value }),
  };
}

/** All attributes but the id, in the contract's order. */
export const textAttributes: readonly TextAttribute[] = [
  attribute("name", "name", "Ada Lovelace", [m.getCustomerName, m.setCustomerName]),
  attribute("address", "address", "12 St James's Square, London", [m.getCustomerAddress, m.setCustomerAddress]),
  attribute("vat_identification_number", "vatIdentificationNumber", "GB98765", [
    m.getCustomerVatIdentificationNumber,
    m.setCustomerVatIdentificationNumber,
  ]),
  attribute("mail", "mail", "ada@example.com", [m.getCustomerMail, m.setCustomerMail]),
  attribute("phone_number", "phoneNumber", "+44 (20) 7946-0958", [m.getCustomerPhoneNumber, m.setCustomerPhoneNumber]),
];
