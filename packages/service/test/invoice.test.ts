// Invoices and products link customers, lines and products: lists, batches and the statement give the same resources, and writes keep the links.
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { create } from "@bufbuild/protobuf";
import {
  builtInContract,
  type Handler,
  maxListedBytes,
  ServerCall,
  StoredMemory,
  typedClient,
} from "@roundtrip/contract";
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import {
  InvoiceSchema,
  InvoiceService,
  InvoiceStatus,
  type Invoice,
  type ListInvoicesResponse,
} from "@roundtrip/contract/gen/roundtrip/v1/invoice_pb";
import { ProductService } from "@roundtrip/contract/gen/roundtrip/v1/product_pb";
import { describe, expect, it } from "vitest";
import { memoryClient } from "../../stacks/src/memory-client.ts";
import { CustomerStore } from "../src/customer-store.ts";
import { realService, seedCustomers } from "../src/index.ts";
import { invoiceHandlers } from "../src/invoice.ts";
import { InvoiceStore } from "../src/invoice-store.ts";
import { productStore } from "../src/product.ts";

const contract = builtInContract();

function calls() {
  const service = realService(contract);
  const client = memoryClient(() => service);
  return {
    customers: typedClient(CustomerService, client),
    invoices: typedClient(InvoiceService, client),
    products: typedClient(ProductService, client),
  };
}

const { customers, invoices, products } = calls();
const mask = (...paths: readonly string[]) => ({ paths: [...paths] });
type Mask = ReturnType<typeof mask>;
const ids = (all: readonly { readonly id: number }[]): readonly number[] => all.map(({ id }) => id);
const between = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

function links(all: readonly Invoice[]): readonly (readonly number[])[] {
  return all.map(({ lines }) => lines.map(({ productId }) => productId));
}

function refusal(code: string, details: object = {}) {
  return expect.objectContaining({ code, details: expect.objectContaining(details) as unknown });
}

it("refuses invoices above the limit of bytes, and one answer with too many", () => {
  const memory = new StoredMemory("the invoices", 2 * maxListedBytes);
  const store = new InvoiceStore(undefined, memory);
  const linked = { customers: new CustomerStore(seedCustomers()), invoices: store, products: productStore() };
  const handlers = invoiceHandlers(linked);
  const call = (name: string, request: Readonly<Record<string, unknown>>) => {
    const { id, input } = contract.operation(`roundtrip.v1.InvoiceService.${name}`);
    return (handlers.get(id) as Handler)(create(input, request), new ServerCall()) as never;
  };
  const currency = "a".repeat(maxListedBytes / 2);
  const added = [1, 2, 3].map(() => store.add(create(InvoiceSchema, { customerId: 1, currency })).id);
  expect(() => store.add(create(InvoiceSchema, { customerId: 1, currency }))).toThrow(refusal("RESOURCE_EXHAUSTED"));
  expect(() => call("BatchGetInvoices", { ids: added })).toThrow(refusal("RESOURCE_EXHAUSTED"));
  expect(() => call("GetStatement", { customerId: 1 })).toThrow(refusal("RESOURCE_EXHAUSTED"));
  const { invoices: page, nextPageToken }: ListInvoicesResponse = call("ListInvoices", { customerId: 1 });
  expect(ids(page)).toEqual(added.slice(-1));
  const next: ListInvoicesResponse = call("ListInvoices", { customerId: 1, pageToken: nextPageToken });
  expect(ids(next.invoices)).toEqual([added[1]]);
});

describe("the seed", () => {
  it("has 20 invoices of 5 lines for each of 1,000 customers, with ascending dates and the sums of their lines", () => {
    const all = new InvoiceStore().batch(between(1, 20_000));
    const wrong = all.filter(({ id, customerId, lines, netTotal, taxTotal, grossTotal, issueTime }, at) => {
      const sum = lines.reduce((before, { quantity, unitPrice }) => before + quantity * unitPrice, 0);
      const earlier = at % 20 === 0 ? undefined : all[at - 1]?.issueTime;
      return (
        id !== at + 1 ||
        customerId !== Math.floor(at / 20) + 1 ||
        lines.length !== 5 ||
        netTotal !== sum ||
        taxTotal !== Math.round(sum * 0.19) ||
        grossTotal !== netTotal + taxTotal ||
        (issueTime?.seconds ?? 0n) < (earlier?.seconds ?? 1n)
      );
    });
    expect(wrong).toEqual([]);
    const sold = new Set(links(all).flat());
    expect([Math.min(...sold), Math.max(...sold), sold.size]).toEqual([1, 5_000, 5_000]);
  });

  it("has 5,000 products, each with a name of its own, a price and about a kilobyte of text", () => {
    const all = productStore().batch(between(1, 5_000));
    expect(new Set(all.map(({ name }) => name)).size).toBe(5_000);
    expect(new Set(all.map(({ description }) => description)).size).toBe(5_000);
    const lengths = all.map(({ description }) => description.length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_100);
    expect(Math.min(...all.map(({ price }) => price))).toBeGreaterThan(0);
  });

  it("is the same in every service, whatever is read first", () => {
    expect(new InvoiceStore().of(7)).toEqual(new InvoiceStore().batch(between(121, 140)).toReversed());
    expect(productStore().batch([5, 4])).toEqual(productStore().batch([4, 5]).toReversed());
  });
});

describe("lists", () => {
  it("give a customer's invoices, the newest first, page by page", async () => {
    const whole = await invoices.listInvoices({ customerId: 3 });
    expect(ids(whole.invoices)).toEqual(between(41, 60).toReversed());
    expect(whole.nextPageToken).toBe("");
    const first = await invoices.listInvoices({ customerId: 3, pageSize: 12 });
    const second = await invoices.listInvoices({ customerId: 3, pageSize: 8, pageToken: first.nextPageToken });
    expect([...first.invoices, ...second.invoices]).toEqual(whole.invoices);
    expect(second.nextPageToken).toBe("");
  });

  it("give only invoices with the status that is asked for", async () => {
    const pages = { customerId: 3, status: InvoiceStatus.OPEN };
    const first = await invoices.listInvoices({ ...pages, pageSize: 3 });
    const second = await invoices.listInvoices({ ...pages, pageSize: 3, pageToken: first.nextPageToken });
    expect(ids([...first.invoices, ...second.invoices])).toEqual([60, 59, 58, 57]);
    const paid = await invoices.listInvoices({ customerId: 3, status: InvoiceStatus.PAID });
    expect(ids(paid.invoices)).toEqual(between(41, 56).toReversed());
  });

  it("give products by ascending id, at most 1000 in a page", async () => {
    const large = await products.listProducts({ pageSize: 2_000 });
    expect(ids(large.products)).toEqual(between(1, 1_000));
    const last = await products.listProducts({
      pageSize: 50,
      pageToken: Buffer.from("after:4950").toString("base64url"),
    });
    expect(ids(last.products)).toEqual(between(4_951, 5_000));
    expect(last.nextPageToken).toBe("");
  });

  it("of a customer who does not exist are refused, and so is an unknown page token", async () => {
    const missing = refusal("NOT_FOUND", { reason: "CUSTOMER_NOT_FOUND", metadata: { id: "4711" } });
    await expect(invoices.listInvoices({ customerId: 4_711 })).rejects.toEqual(missing);
    await expect(invoices.getStatement({ customerId: 4_711 })).rejects.toEqual(missing);
    const call = invoices.listInvoices({ customerId: 4_711, pageToken: "nonsense" });
    await expect(call).rejects.toEqual(refusal("INVALID_ARGUMENT"));
  });
});

describe("batches", () => {
  it("give what single reads give, in the order of the ids, and an id twice if it is asked for twice", async () => {
    const asked = [7, 20_000, 1, 7];
    const singles = await Promise.all(asked.map((id) => invoices.getInvoice({ id })));
    expect((await invoices.batchGetInvoices({ ids: asked })).invoices).toEqual(singles);
    const goods = await Promise.all([5_000, 1].map((id) => products.getProduct({ id })));
    expect((await products.batchGetProducts({ ids: [5_000, 1] })).products).toEqual(goods);
  });

  it("with missing resources fail, and name each of them once", async () => {
    await expect(invoices.batchGetInvoices({ ids: [1, 20_001] })).rejects.toEqual(
      refusal("NOT_FOUND", { reason: "INVOICE_NOT_FOUND", domain: "roundtrip.dev", metadata: { id: "20001" } }),
    );
    const several = products.batchGetProducts({ ids: [9_999, 1, 8_888, 9_999] });
    await expect(several).rejects.toThrow("there are no products 9999, 8888");
    await expect(products.getProduct({ id: 5_001 })).rejects.toThrow("there is no product 5001");
  });

  it("are of valid ids", async () => {
    const violations = [expect.objectContaining({ field: "ids[1]", reason: "int32.gt" })];
    const call = products.batchGetProducts({ ids: [1, 0] });
    await expect(call).rejects.toEqual(refusal("INVALID_ARGUMENT", { violations }));
  });
});

describe("read masks", () => {
  it("lead to fields of messages in lists", async () => {
    const { lines } = await invoices.getInvoice({ id: 7 });
    const read = await invoices.getInvoice({ id: 7, readMask: mask("id", "lines.quantity", "lines.product_id") });
    expect(read).toMatchObject({ id: 7, customerId: 0, currency: "", grossTotal: 0 });
    expect(read.issueTime).toBeUndefined();
    expect(read.lines).toMatchObject(lines.map(({ productId, quantity }) => ({ productId, quantity, unitPrice: 0 })));
  });

  it.each([
    ["lines", "lines.quantity"],
    ["lines.quantity", "lines"],
  ])("that name a field as a whole and a part of it read the whole: %s, %s", async (...paths) => {
    const { lines } = await invoices.getInvoice({ id: 7 });
    expect((await invoices.getInvoice({ id: 7, readMask: mask(...paths) })).lines).toEqual(lines);
  });

  it.each([{ paths: [] }, { paths: ["*"] }])("read everything: %j", async (readMask) => {
    expect(await invoices.getInvoice({ id: 7, readMask })).toEqual(await invoices.getInvoice({ id: 7 }));
  });

  it("of a list lead to fields of its resources, and to the token of the next page", async () => {
    const readMask = mask("invoices.id", "invoices.status", "next_page_token");
    const read = await invoices.listInvoices({ customerId: 3, pageSize: 2, readMask });
    expect(read.nextPageToken).not.toBe("");
    expect(read.invoices.map(({ id, status, lines }) => [id, status, lines])).toEqual([
      [60, InvoiceStatus.OPEN, []],
      [59, InvoiceStatus.OPEN, []],
    ]);
    const goods = await products.listProducts({ pageSize: 2, readMask: mask("products") });
    expect(goods.nextPageToken).toBe("");
    expect(goods.products).toEqual((await products.batchGetProducts({ ids: [1, 2] })).products);
    const batch = await products.batchGetProducts({ ids: [2], readMask: mask("products.name") });
    expect(batch.products).toMatchObject([{ id: 0, description: "" }]);
  });

  it.each([
    ["Invoice", "colour", (readMask: Mask) => invoices.getInvoice({ id: 99_999, readMask })],
    ["ListInvoicesResponse", "id", (readMask: Mask) => invoices.listInvoices({ customerId: 4_711, readMask })],
    [
      "BatchGetInvoicesResponse",
      "invoices.id.lines",
      (readMask: Mask) => invoices.batchGetInvoices({ ids: [99_999], readMask }),
    ],
    ["Statement", "customer.colour", (readMask: Mask) => invoices.getStatement({ customerId: 4_711, readMask })],
    ["Product", "colour", (readMask: Mask) => products.getProduct({ id: 99_999, readMask })],
  ] as const)("of %s with the unknown path %s are refused before anything is looked up", async (type, path, call) => {
    const violation = { field: "read_mask", description: `${type} has no field "${path}"`, reason: "field_mask" };
    await expect(call(mask(path))).rejects.toEqual(refusal("INVALID_ARGUMENT", { violations: [violation] }));
  });
});

describe("a statement", () => {
  it.each([
    [{}, 10],
    [{ invoiceCount: 3 }, 3],
    [{ invoiceCount: 1_000 }, 20],
  ])("of %j has the last invoices, the customer and each product once", async (request, count) => {
    const statement = await invoices.getStatement({ customerId: 8, ...request });
    const list = await invoices.listInvoices({ customerId: 8, pageSize: count });
    const sold = new Set(links(list.invoices).flat());
    const batch = await products.batchGetProducts({ ids: [...sold].toSorted((a, b) => a - b) });
    expect(statement.customer).toEqual(await customers.getCustomer({ id: 8 }));
    expect(statement.invoices).toEqual(list.invoices);
    expect(statement.products).toEqual(batch.products);
  });

  it("is reduced to a mask at every level", async () => {
    const readMask = mask("customer.name", "invoices.lines.product_id", "products.id", "products.name");
    const whole = await invoices.getStatement({ customerId: 8, invoiceCount: 2 });
    const read = await invoices.getStatement({ customerId: 8, invoiceCount: 2, readMask });
    expect(read.customer).toMatchObject({ id: 0, name: "Customer number 8", mail: "" });
    expect(links(read.invoices)).toEqual(links(whole.invoices));
    expect(read.invoices).toMatchObject([
      { id: 0, grossTotal: 0 },
      { id: 0, grossTotal: 0 },
    ]);
    expect(read.products).toMatchObject(whole.products.map(({ id, name }) => ({ id, name, description: "" })));
  });
});

const order = {
  customerId: 9,
  issueTime: timestampFromMs(Date.UTC(2025, 10, 30)),
  currency: "EUR",
  lines: [
    { productId: 1, quantity: 2, unitPrice: 500 },
    { productId: 5_000, quantity: 1, unitPrice: 50 },
  ],
};

describe("a new invoice", () => {
  it("gets an id, a status and totals of the service, and comes first in lists and statements", async () => {
    const own = calls();
    const sent = { ...order, id: 5, status: InvoiceStatus.PAID, netTotal: 1, taxTotal: 1, grossTotal: 1 };
    const first = await own.invoices.createInvoice({ invoice: sent });
    const second = await own.invoices.createInvoice({ invoice: order });
    const totals = { status: InvoiceStatus.OPEN, netTotal: 1_050, taxTotal: 200, grossTotal: 1_250 };
    expect([first, second]).toMatchObject([
      { ...order, ...totals, id: 20_001 },
      { ...order, ...totals, id: 20_002 },
    ]);
    expect(await own.invoices.getInvoice({ id: 20_001 })).toEqual(first);
    const page = await own.invoices.listInvoices({ customerId: 9, pageSize: 3 });
    expect(ids(page.invoices)).toEqual([20_002, 20_001, 180]);
    const next = await own.invoices.listInvoices({ customerId: 9, pageSize: 1, pageToken: page.nextPageToken });
    expect(ids(next.invoices)).toEqual([179]);
    const statement = await own.invoices.getStatement({ customerId: 9, invoiceCount: 1 });
    expect(ids(statement.products)).toEqual([1, 5_000]);
  });

  it("needs a customer and products that exist", async () => {
    const nobody = invoices.createInvoice({ invoice: { ...order, customerId: 4_711 } });
    await expect(nobody).rejects.toThrow("there is no customer 4711");
    const nothing = [6_000, 1, 7_000].map((productId) => ({ productId, quantity: 1 }));
    const missing = invoices.createInvoice({ invoice: { ...order, lines: nothing } });
    await expect(missing).rejects.toThrow("there are no products 6000, 7000");
  });

  it("obeys the rules of its lines, too", async () => {
    const lines = [
      { productId: 1, quantity: 1 },
      { productId: 0, quantity: 101, unitPrice: 500_001 },
    ];
    const violations = [
      { field: "invoice.issue_time", reason: "required" },
      { field: "invoice.currency", reason: "string.pattern" },
      { field: "invoice.lines[1].product_id", reason: "int32.gt" },
      { field: "invoice.lines[1].quantity", reason: "int32.gt_lte" },
      { field: "invoice.lines[1].unit_price", reason: "int32.gte_lte" },
    ].map((violation) => expect.objectContaining(violation) as unknown);
    const call = invoices.createInvoice({ invoice: { customerId: 9, lines, currency: "€" } });
    await expect(call).rejects.toEqual(refusal("INVALID_ARGUMENT", { violations }));
    await expect(invoices.createInvoice({})).rejects.toEqual(refusal("INVALID_ARGUMENT"));
  });

  it("is refused when the store is full", () => {
    const store = new InvoiceStore(1);
    const [invoice] = store.batch([1]);
    expect(store.add(invoice as Invoice).id).toBe(20_001);
    expect(() => store.add(invoice as Invoice)).toThrow(refusal("RESOURCE_EXHAUSTED"));
  });
});

describe("a payment", () => {
  it("makes an open invoice a paid one, once", async () => {
    const own = calls();
    const before = await own.invoices.getInvoice({ id: 20 });
    const paid = await own.invoices.payInvoice({ id: 20 });
    expect(paid).toEqual({ ...before, status: InvoiceStatus.PAID });
    expect(await own.invoices.getInvoice({ id: 20 })).toEqual(paid);
    const again = own.invoices.payInvoice({ id: 20 });
    await expect(again).rejects.toEqual(
      refusal("FAILED_PRECONDITION", { reason: "INVOICE_PAID", metadata: { id: "20" } }),
    );
  });

  it("of an invoice that does not exist is refused", async () => {
    await expect(invoices.payInvoice({ id: 20_001 })).rejects.toEqual(refusal("NOT_FOUND"));
  });
});

it("streams the products of all pages from a token on, a batch in each message", async () => {
  const { nextPageToken: pageToken } = await products.listProducts({ pageSize: 996 });
  const readMask = { paths: ["products.id"] };
  const batches: number[][] = [];
  for await (const { products: sent } of products.streamProducts({ pageSize: 800, pageToken, readMask })) {
    expect(sent[0]?.name).toBe("");
    batches.push(sent.map(({ id }) => id));
  }
  expect(batches.map(({ length }) => length)).toEqual([800, 800, 800, 800, 800, 4]);
  expect(batches.flat()).toEqual(Array.from({ length: 4_004 }, (_, at) => at + 997));
});
