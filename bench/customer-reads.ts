// The customer of 2010 and the ways to read it: what several studies do over and over, written once.
import type { Plan, Step } from "@roundtrip/runner";

export const customerService = "roundtrip.v1.CustomerService";

/** The paper's six attributes in its order; values of exactly its lengths, which customer 1 has from the start. */
export const customerAttributes = [
  { field: "id", accessor: "CustomerId", value: 1 },
  { field: "name", accessor: "CustomerName", value: "Wilhelmina van der Bergh-Oosterhuizen." },
  {
    field: "address",
    accessor: "CustomerAddress",
    value: "Prins Hendrikkade 33-III, 1012 TM Amsterdam, Noord-Holland",
  },
  { field: "vatIdentificationNumber", accessor: "CustomerVatIdentificationNumber", value: "NL12345" },
  { field: "mail", accessor: "CustomerMail", value: "wil@example.co.nl" },
  { field: "phoneNumber", accessor: "CustomerPhoneNumber", value: "+31 20 5550123" },
] as const;

/** The names of the first attributes. */
export function firstFields(count: number): string[] {
  return customerAttributes.slice(0, count).map(({ field }) => field);
}

/** The values of the first attributes, as customer 1 has them. */
export function firstValues(count: number): Readonly<Record<string, string | number>> {
  return Object.fromEntries(customerAttributes.slice(0, count).map(({ field, value }) => [field, value]));
}

/** One coarse call that reads the first attributes of a customer. */
export function facadeRead(id: number, count: number): Plan {
  const request = { id, readMask: firstFields(count).join(",") };
  return { order: "sequential", driver: "own", steps: [{ operation: `${customerService}.GetCustomer`, request }] };
}

/** One fine call for each of the first attributes. */
export function fineReads(id: number, count: number): Step[] {
  return customerAttributes
    .slice(0, count)
    .map(({ accessor }) => ({ operation: `${customerService}.Get${accessor}`, request: { id } }));
}
