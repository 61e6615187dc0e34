// The customers that a server starts with are always the same, keep the contract's rules, and the first is the study's.
import { builtInContract, ServerCall } from "@roundtrip/contract";
import { create } from "@bufbuild/protobuf";
import { CreateCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { expect, it } from "vitest";
import { realService, seedCustomers } from "../src/index.ts";

it("gives customer 1 the attribute lengths of the study of 2010", () => {
  const [first] = seedCustomers();
  expect(first).toMatchObject({ id: 1 });
  const { name, address, vatIdentificationNumber, mail, phoneNumber } = first ?? {};
  const lengths = [name, address, vatIdentificationNumber, mail, phoneNumber].map((text) => text?.length);
  expect(lengths).toEqual([38, 58, 7, 17, 14]);
});

it("has the ids from 1 on, and no two customers alike in any attribute", () => {
  const customers = seedCustomers();
  expect(customers.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  for (const key of ["name", "address", "vatIdentificationNumber", "mail", "phoneNumber"] as const) {
    expect(new Set(customers.map((customer) => customer[key])).size).toBe(120);
  }
});

it("is the same every time, and as many as one asks for", () => {
  expect(seedCustomers()).toEqual(seedCustomers());
  expect(seedCustomers(3)).toEqual(seedCustomers().slice(0, 3));
});

it("could have been created through the contract", () => {
  const contract = builtInContract();
  const service = realService(contract);
  const operation = contract.operation("roundtrip.v1.CustomerService.CreateCustomer");
  for (const customer of seedCustomers()) {
    const request = create(CreateCustomerRequestSchema, { customer: { ...customer, id: customer.id + 10_000 } });
    expect(() => service.call(operation, request, new ServerCall())).not.toThrow();
  }
});
