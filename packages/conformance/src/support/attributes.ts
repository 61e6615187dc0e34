// The five attributes with a getter and a setter, in one table, so that cases cover all of them.
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import type { CaseRun } from "../case/case-run.ts";

const m = CustomerService.method;

/** An attribute that is text, and its fine-grained calls. */
export interface TextAttribute {
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

/** All attributes but the id, in the contract's order. */
export const textAttributes: readonly TextAttribute[] = [
  {
    path: "name",
    key: "name",
    other: "Ada Lovelace",
    get: async (run, id) => (await run.call(m.getCustomerName, { id })).name,
    set: async (run, id, name) => (await run.call(m.setCustomerName, { id, name })).name,
  },
  {
    path: "address",
    key: "address",
    other: "12 St James's Square, London",
    get: async (run, id) => (await run.call(m.getCustomerAddress, { id })).address,
    set: async (run, id, address) => (await run.call(m.setCustomerAddress, { id, address })).address,
  },
  {
    path: "vat_identification_number",
    key: "vatIdentificationNumber",
    other: "GB98765",
    get: async (run, id) => (await run.call(m.getCustomerVatIdentificationNumber, { id })).vatIdentificationNumber,
    set: async (run, id, vatIdentificationNumber) =>
      (await run.call(m.setCustomerVatIdentificationNumber, { id, vatIdentificationNumber })).vatIdentificationNumber,
  },
  {
    path: "mail",
    key: "mail",
    other: "ada@example.com",
    get: async (run, id) => (await run.call(m.getCustomerMail, { id })).mail,
    set: async (run, id, mail) => (await run.call(m.setCustomerMail, { id, mail })).mail,
  },
  {
    path: "phone_number",
    key: "phoneNumber",
    other: "+44 (20) 7946-0958",
    get: async (run, id) => (await run.call(m.getCustomerPhoneNumber, { id })).phoneNumber,
    set: async (run, id, phoneNumber) => (await run.call(m.setCustomerPhoneNumber, { id, phoneNumber })).phoneNumber,
  },
];
