// The invoice service: invoices one by one, as lists and batches, and the coarse statement with all that they refer to.
import { create } from "@bufbuild/protobuf";
import { CallError, handlersOf, type Handlers, listableCount, requireListable } from "@roundtrip/contract";
import { readMask } from "@roundtrip/contract/field-masks";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/invoice_pb";
import { required } from "./customer.ts";
import type { CustomerStore } from "./customer-store.ts";
import type { InvoiceStore } from "./invoice-store.ts";
import { idBefore, pageSizeFor, pageTokenAfter } from "./paging.ts";
import type { ProductStore } from "./product.ts";

const defaultInvoiceCount = 10;
const maxInvoiceCount = 100;

/** The products of all lines, each once, in ascending order. */
function productIds(invoices: readonly Readonly<pb.Invoice>[]): readonly number[] {
  const ids = new Set(invoices.flatMap(({ lines }) => lines.map(({ productId }) => productId)));
  return [...ids].toSorted((a, b) => a - b);
}

/** What the invoices and statements are made of. */
export interface LinkedStores {
  readonly customers: CustomerStore;
  readonly invoices: InvoiceStore;
  readonly products: ProductStore;
}

/** The handlers of InvoiceService. Reads check the mask and the page token before they look anything up. */
export function invoiceHandlers({ customers, invoices, products }: LinkedStores): Handlers {
  const bytesOf = ({ id }: Pick<pb.Invoice, "id">): number => invoices.bytesOf(id);
  return handlersOf(pb.InvoiceService, {
    getInvoice({ id, readMask: mask }) {
      const read = readMask(pb.InvoiceSchema, mask);
      return read(invoices.get(id));
    },
    listInvoices({ customerId, pageSize, pageToken, status, readMask: mask }) {
      const schema = pb.ListInvoicesResponseSchema;
      const read = readMask(schema, mask);
      const before = idBefore(pageToken);
      customers.get(customerId);
      const rest = invoices
        .of(customerId)
        .filter((invoice) => before === 0 || invoice.id < before)
        .filter((invoice) => status === pb.InvoiceStatus.UNSPECIFIED || invoice.status === status);
      const asked = rest.slice(0, pageSizeFor(pageSize));
      const page = asked.slice(0, listableCount(asked, bytesOf));
      const last = page.at(-1);
      const nextPageToken = last !== undefined && page.length < rest.length ? pageTokenAfter(last.id) : "";
      return read(create(schema, { invoices: page, nextPageToken }));
    },
    batchGetInvoices({ ids, readMask: mask }) {
      const schema = pb.BatchGetInvoicesResponseSchema;
      const read = readMask(schema, mask);
      requireListable(ids, (id) => invoices.bytesOf(id));
      return read(create(schema, { invoices: invoices.batch(ids) }));
    },
    getStatement({ customerId, invoiceCount, readMask: mask }) {
      const read = readMask(pb.StatementSchema, mask);
      const customer = customers.get(customerId);
      const count = Math.min(invoiceCount === 0 ? defaultInvoiceCount : invoiceCount, maxInvoiceCount);
      const last = invoices.of(customerId).slice(0, count);
      requireListable(last, bytesOf);
      return read(create(pb.StatementSchema, { customer, invoices: last, products: products.batch(productIds(last)) }));
    },
    createInvoice(request) {
      const invoice = required(request.invoice, "invoice");
      customers.get(invoice.customerId);
      products.batch(productIds([invoice]));
      return invoices.add(invoice);
    },
    payInvoice({ id }) {
      const invoice = invoices.get(id);
      if (invoice.status === pb.InvoiceStatus.PAID) {
        throw new CallError("FAILED_PRECONDITION", `invoice ${id} is paid already`, {
          reason: "INVOICE_PAID",
          domain: "roundtrip.dev",
          metadata: { id: String(id) },
        });
      }
      const paid = { ...invoice, status: pb.InvoiceStatus.PAID };
      invoices.set(id, paid);
      return paid;
    },
  });
}
