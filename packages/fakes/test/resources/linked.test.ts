// Resources that refer to others: a fake's invoices have customers and products that it has, too, and a coarse read is about the customer asked for.
import type { JsonObject } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { callsTo } from "../support/calls-to.ts";
import { failing, list } from "./library.ts";

const contract = builtInContract();

/** All invoices of a fake, each from a list of its customer. */
async function listed(call: ReturnType<typeof callsTo>, more: JsonObject = {}): Promise<readonly JsonObject[]> {
  const customers = Array.from({ length: 120 }, (_, at) => at + 1);
  const pages = await Promise.all(customers.map((customerId) => call("ListInvoices", { customerId, ...more })));
  return pages.flatMap((page) => list(page["invoices"]));
}

it("refer to customers and products that exist, also where rules bound the reference", async () => {
  const call = callsTo(contract);
  const invoices = await listed(call);
  expect(invoices).toHaveLength(120);
  for (const { customerId, lines } of invoices) {
    expect(await call("GetCustomer", { id: customerId as number })).toMatchObject({ id: customerId });
    const ids = list(lines).map(({ productId }) => productId as number);
    expect(list((await call("BatchGetProducts", { ids }))["products"]).map(({ id }) => id)).toEqual(ids);
  }
});

it("are listed by what they refer to and by their status, which a payment changes", async () => {
  const call = callsTo(contract);
  const [first] = await listed(call, { status: "INVOICE_STATUS_OPEN" });
  expect(first).toMatchObject({ status: "INVOICE_STATUS_OPEN" });
  const { id, customerId } = first as { id: number; customerId: number };
  expect(await call("PayInvoice", { id })).toMatchObject({ id, status: "INVOICE_STATUS_PAID" });
  const open = await call("ListInvoices", { customerId, status: "INVOICE_STATUS_OPEN" });
  expect(list(open["invoices"]).map((invoice) => invoice["id"])).not.toContain(id);
});

it("are not listed of a customer that does not exist", async () => {
  const missing = callsTo(contract)("ListInvoices", { customerId: 4_711 });
  await expect(missing).rejects.toThrow(failing("NOT_FOUND", { reason: "CUSTOMER_NOT_FOUND" }));
});

it("are created with a free key, and found by it", async () => {
  const call = callsTo(contract);
  const lines = [{ productId: 3, quantity: 2, unitPrice: 100 }];
  const invoice = { customerId: 7, issueTime: "2025-11-30T00:00:00Z", currency: "EUR", lines };
  const created = await call("CreateInvoice", { invoice });
  expect(created).toMatchObject(invoice);
  expect(await call("GetInvoice", { id: created["id"] as number })).toEqual(created);
  const next = [await call("CreateInvoice", { invoice }), await call("CreateInvoice", { invoice })];
  expect(next.map(({ id }) => (id as number) - (created["id"] as number))).toEqual([1, 2]);
});

it("are read around the one that a request refers to, with masks that lead into lists", async () => {
  const call = callsTo(contract);
  const [invoice] = await listed(call);
  const customerId = invoice?.["customerId"] as number;
  const customer = await call("GetCustomer", { id: customerId });
  const { invoices } = await call("ListInvoices", { customerId });
  const whole = await call("GetStatement", { customerId });
  expect([whole["customer"], whole["invoices"]]).toEqual([customer, invoices]);
  await expect(call("GetStatement", { customerId: 4_711 })).rejects.toThrow(failing("NOT_FOUND"));
  const statement = await call("GetStatement", { customerId, readMask: "customer.name,products.name" });
  expect(statement).toEqual({ customer: { name: customer["name"] }, products: expect.any(Array) as unknown });
  for (const product of list(statement["products"])) expect(Object.keys(product)).toEqual(["name"]);
  const unknown = call("GetStatement", { customerId: 4_711, readMask: "products.colour" });
  await expect(unknown).rejects.toThrow(failing("INVALID_ARGUMENT"));
});
