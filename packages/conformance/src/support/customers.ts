// Customers that cases create and delete, in a reserved range of ids.
import { CallError } from "@roundtrip/contract";
import { CustomerService, type Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import type { CaseRun } from "../case/case-run.ts";

const { createCustomer, deleteCustomer } = CustomerService.method;

/** Some of a customer's values. */
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
