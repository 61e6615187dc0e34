// The customer of the 2010 study and the calls that read it, shared by several studies.
import { type Plan, type Step, sequentialPlan } from "@roundtrip/runner";

export const customerService = "roundtrip.v1.CustomerService";

/** The six attributes of the paper in its order, with values of exactly its lengths. Customer 1 has these values from the start. */
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

export function firstFields(count: number): string[] {
  return customerAttributes.slice(0, count).map(({ field }) => field);
}

export function firstValues(count: number): Readonly<Record<string, string | number>> {
  return Object.fromEntries(customerAttributes.slice(0, count).map(({ field, value }) => [field, value]));
}

export function facadeRead(id: number, count: number): Plan {
  const request = { id, readMask: firstFields(count).join(",") };
  return sequentialPlan({ operation: `${customerService}.GetCustomer`, request });
}

export function fineReads(id: number, count: number): Step[] {
  return customerAttributes
    .slice(0, count)
    .map(({ accessor }) => ({ operation: `${customerService}.Get${accessor}`, request: { id } }));
}
