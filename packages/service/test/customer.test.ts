// What the handlers promise beyond the conformance suite: what needs more customers, or a look behind the answers.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, ServerCall, typedClient, type Handler, type Handlers } from "@roundtrip/contract";
import {
  CustomerService,
  GetCustomerRequestSchema,
  ListCustomersRequestSchema,
  UpdateCustomerRequestSchema,
  type ListCustomersResponse,
} from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { expect, it } from "vitest";
import { memoryClient } from "../../stacks/src/memory-client.ts";
import { CustomerStore } from "../src/customer-store.ts";
import { customerHandlers } from "../src/customer.ts";
import { realService, seedCustomers } from "../src/index.ts";
import { idBefore, pageTokenAfter } from "../src/paging.ts";

function answer(handlers: Handlers, method: string, request: Message) {
  const handler = handlers.get(`roundtrip.v1.CustomerService.${method}`);
  if (handler === undefined) throw new Error(`no handler of ${method}`);
  return (handler as Handler)(request, new ServerCall());
}

function naming(name: string) {
  return create(UpdateCustomerRequestSchema, { customer: { id: 1, name } });
}

it("starts with customers that differ in every attribute, the first with the lengths of the study of 2010", () => {
  const customers = seedCustomers();
  expect(customers.map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  const keys = ["name", "address", "vatIdentificationNumber", "mail", "phoneNumber"] as const;
  expect(keys.map((key) => customers[0]?.[key].length)).toEqual([38, 58, 7, 17, 14]);
  for (const key of keys) expect(new Set(customers.map((customer) => customer[key])).size).toBe(1_000);
});

it("starts with as many customers as its setting says, beside what clients may add", async () => {
  const service = realService(builtInContract(), { customers: { count: 200_000 } });
  const { getCustomer, createCustomer } = typedClient(
    CustomerService,
    memoryClient(() => service),
  );
  expect(await getCustomer({ id: 200_000 })).toMatchObject({ name: "Customer number 200000" });
  await expect(getCustomer({ id: 200_001 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await createCustomer({ customer: { id: 200_001 } })).toMatchObject({ id: 200_001 });
});

it("never returns more than 1000 customers in a page", () => {
  const handlers = customerHandlers(new CustomerStore(seedCustomers(1_005)));
  const request = create(ListCustomersRequestSchema, { pageSize: 5_000 });
  const { customers, nextPageToken } = answer(handlers, "ListCustomers", request) as ListCustomersResponse;
  expect(customers).toHaveLength(1_000);
  expect(nextPageToken).not.toBe("");
});

it("refuses a bad mask before it looks for the customer: an argument is bad whatever the state", () => {
  const handlers = customerHandlers(new CustomerStore([]));
  const mask = { paths: ["shoe_size"] };
  const refused = expect.objectContaining({ code: "INVALID_ARGUMENT" });
  const read = create(GetCustomerRequestSchema, { id: 1, readMask: mask });
  const write = create(UpdateCustomerRequestSchema, { customer: { id: 1 }, updateMask: mask });
  expect(() => answer(handlers, "GetCustomer", read)).toThrow(refused);
  expect(() => answer(handlers, "UpdateCustomer", write)).toThrow(refused);
});

it("answers an update with what it wrote, whatever is written next", () => {
  const handlers = customerHandlers(new CustomerStore(seedCustomers(1)));
  const first = answer(handlers, "UpdateCustomer", naming("first"));
  void answer(handlers, "UpdateCustomer", naming("second"));
  expect(first).toMatchObject({ name: "first" });
});

it.each([
  "nonsense",
  `${pageTokenAfter(5)}=`,
  pageTokenAfter(0),
  pageTokenAfter(1.5),
  tokenOf("after:1e3"),
  tokenOf("b:5"),
])("refuses the page token %s, which it never gives out", (token) => {
  expect(() => idBefore(token)).toThrow("page_token: not a token of this service");
});

function tokenOf(text: string): string {
  return Buffer.from(text).toString("base64url");
}
