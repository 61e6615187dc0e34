// Linked resources of the real service: lists, batches, masks into lists and the coarse statement give the same invoices and products on every style.
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  InvoiceSchema,
  InvoiceService,
  InvoiceStatus,
  type Invoice,
} from "@roundtrip/contract/gen/roundtrip/v1/invoice_pb";
import { ProductService } from "@roundtrip/contract/gen/roundtrip/v1/product_pb";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { expectEqual, expectError, expectInfo, expectMessage, expectViolations } from "../../case/expectations.ts";
import { someCustomer } from "../../support/customers.ts";

const { createInvoice, getInvoice, getStatement, listInvoices, payInvoice } = InvoiceService.method;
const { batchGetProducts, getProduct } = ProductService.method;

const sale = {
  issueTime: timestampFromMs(Date.UTC(2025, 10, 30)),
  currency: "EUR",
  lines: [
    { productId: 2, quantity: 2, unitPrice: 500 },
    { productId: 1, quantity: 1, unitPrice: 50 },
  ],
};

/** Creates invoices for a customer of this case. Nothing deletes an invoice, but its customer goes with the case. */
async function someInvoices(run: CaseRun, count: number): Promise<readonly Invoice[]> {
  const { id: customerId } = await someCustomer(run);
  const invoices: Invoice[] = [];
  // Each gets the next id.
  // oxlint-disable-next-line no-await-in-loop
  while (invoices.length < count) invoices.push(await run.call(createInvoice, { invoice: { ...sale, customerId } }));
  return invoices;
}

async function someInvoice(run: CaseRun): Promise<Invoice> {
  const [invoice] = await someInvoices(run, 1);
  return invoice as Invoice;
}

/** The cases RT-18xx. */
export const invoiceCases = casesIn("invoices", ["customers", "invoices"], {
  async "RT-1801 a created invoice is read back with its lines"(run) {
    const created = await someInvoice(run);
    expectEqual(await run.call(getInvoice, { id: created.id }), created, "invoice");
    const { customerId } = created;
    const sent = { ...created, id: 0, status: InvoiceStatus.UNSPECIFIED, netTotal: 0, taxTotal: 0, grossTotal: 0 };
    expectMessage(InvoiceSchema, sent, { ...sale, customerId });
  },
  async "RT-1802 a created invoice is open, and its totals are those of its lines"(run) {
    const { status, netTotal, taxTotal, grossTotal } = await someInvoice(run);
    expectEqual([status, netTotal, taxTotal, grossTotal], [InvoiceStatus.OPEN, 1_050, 200, 1_250], "totals");
  },
  async "RT-1803 a list has the invoices of its customer with the status that is asked for"(run) {
    const [first, second] = await someInvoices(run, 2);
    const [customerId, id] = [first?.customerId ?? 0, first?.id ?? 0];
    const ids = async (request: object): Promise<readonly number[]> => {
      const { invoices } = await run.call(listInvoices, { customerId, ...request });
      return invoices.map((invoice) => invoice.id).toSorted((a, b) => a - b);
    };
    expectEqual(await ids({}), [id, second?.id], "invoices");
    const paid = await run.call(payInvoice, { id });
    expectEqual(paid, { ...first, status: InvoiceStatus.PAID }, "paid invoice");
    expectEqual(await ids({ status: InvoiceStatus.PAID }), [id], "paid invoices");
  },
  async "RT-1804 a list has the newest invoice first, page by page"(run) {
    const [first, second, third] = await someInvoices(run, 3);
    const request = { customerId: first?.customerId ?? 0, pageSize: 2 };
    const page = await run.call(listInvoices, request);
    const last = await run.call(listInvoices, { ...request, pageToken: page.nextPageToken });
    expectEqual([...page.invoices, ...last.invoices], [third, second, first], "invoices");
    expectEqual(last.nextPageToken, "", "token of the last page");
  },
  async "RT-1805 a batch has its resources in the order of the ids"(run) {
    const ids = [3, 1, 2];
    const singles = await Promise.all(ids.map((id) => run.call(getProduct, { id })));
    expectEqual((await run.call(batchGetProducts, { ids })).products, singles, "products");
  },
  async "RT-1806 a batch with a missing resource is NOT_FOUND, and the error names it"(run) {
    const missing = 2_000_000_000;
    const error = await expectError(run.call(batchGetProducts, { ids: [1, missing] }), "NOT_FOUND");
    const metadata = { id: String(missing) };
    expectInfo(error, { reason: "PRODUCT_NOT_FOUND", domain: "roundtrip.dev", metadata });
  },
  async "RT-1807 a batch of none or of more than 100 is INVALID_ARGUMENT"(run) {
    const ids = Array.from({ length: 101 }, (_, at) => at + 1);
    await expectViolations(run.call(batchGetProducts, {}), [{ field: "ids", reason: "repeated.min_items" }]);
    await expectViolations(run.call(batchGetProducts, { ids }), [{ field: "ids", reason: "repeated.max_items" }]);
  },
  async "RT-1808 a read mask leads to fields of the messages in a list"(run) {
    const { id } = await someInvoice(run);
    const read = await run.call(getInvoice, { id, readMask: { paths: ["id", "lines.quantity"] } });
    expectMessage(InvoiceSchema, read, { id, lines: [{ quantity: 2 }, { quantity: 1 }] });
  },
  async "RT-1809 an unknown path in a list is INVALID_ARGUMENT"(run) {
    const { id } = await someInvoice(run);
    const call = run.call(getInvoice, { id, readMask: { paths: ["lines.colour"] } });
    await expectViolations(call, [{ field: "read_mask", reason: "field_mask" }]);
  },
  async "RT-1810 a statement has the last invoices of a customer, and each of their products once"(run) {
    const [first, second, third] = await someInvoices(run, 3);
    const customerId = first?.customerId ?? 0;
    const { products } = await run.call(batchGetProducts, { ids: [1, 2] });
    const statement = await run.call(getStatement, { customerId, invoiceCount: 2 });
    expectEqual(statement.customer?.id, customerId, "customer");
    expectEqual(statement.invoices, [third, second], "invoices");
    expectEqual(statement.products, products, "products");
    expectEqual((await run.call(getStatement, { customerId })).invoices, [third, second, first], "all invoices");
  },
  async "RT-1811 a paid invoice cannot be paid again: FAILED_PRECONDITION"(run) {
    const { id } = await someInvoice(run);
    await run.call(payInvoice, { id });
    const { details } = await expectError(run.call(payInvoice, { id }), "FAILED_PRECONDITION");
    expectEqual(details.metadata, { id: String(id) }, "metadata");
  },
  async "RT-1812 the rules of messages in a list are checked, and the error names the one that breaks them"(run) {
    const lines = [...sale.lines, { productId: 0, quantity: 1 }];
    const call = run.call(createInvoice, { invoice: { ...sale, customerId: 1, lines } });
    await expectViolations(call, [{ field: "invoice.lines[2].product_id", reason: "int32.gt" }]);
  },
});
