// Invoices in memory, which link customers and products: 20 of each of the first 1,000 customers, and those that calls create.
import { clone, create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { CallError, type StoredMemory } from "@roundtrip/contract";
import {
  InvoiceLineSchema,
  InvoiceSchema,
  InvoiceStatus,
  type Invoice,
  type InvoiceLine,
} from "@roundtrip/contract/gen/roundtrip/v1/invoice_pb";
import { priceOf, seededProducts } from "./product.ts";
import { drawn, SeededStore } from "./seeded-store.ts";

const invoicedCustomers = 1_000;
const invoicesPerCustomer = 20;
const linesPerInvoice = 5;
/** The last ones of each customer. */
const openPerCustomer = 4;

const firstIssueMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;
const taxShare = 0.19;

function seedLine(invoiceId: number, at: number): InvoiceLine {
  const productId = 1 + drawn(`product ${at} of ${invoiceId}`, seededProducts);
  const quantity = 1 + drawn(`quantity ${at} of ${invoiceId}`, 9);
  return create(InvoiceLineSchema, { productId, quantity, unitPrice: priceOf(productId) });
}

/** Sets what follows from the lines. */
function addTotals(invoice: Invoice): Invoice {
  invoice.netTotal = invoice.lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  invoice.taxTotal = Math.round(invoice.netTotal * taxShare);
  invoice.grossTotal = invoice.netTotal + invoice.taxTotal;
  return invoice;
}

/** The invoices of a customer have ascending ids and dates, about a month apart. */
function seedInvoice(id: number): Readonly<Invoice> {
  const before = (id - 1) % invoicesPerCustomer;
  const day = before * 30 + drawn(`day of ${id}`, 30);
  const isOpen = before >= invoicesPerCustomer - openPerCustomer;
  return addTotals(
    create(InvoiceSchema, {
      id,
      customerId: Math.ceil(id / invoicesPerCustomer),
      issueTime: timestampFromMs(firstIssueMs + day * dayMs),
      currency: "EUR",
      status: isOpen ? InvoiceStatus.OPEN : InvoiceStatus.PAID,
      lines: Array.from({ length: linesPerInvoice }, (_, at) => seedLine(id, at)),
    }),
  );
}

export class InvoiceStore extends SeededStore<Readonly<Invoice>> {
  readonly #limit: number;
  #created = 0;
  /** The ids of created invoices by customer, the newest last. */
  readonly #createdOf = new Map<number, number[]>();

  /** @param limit the maximum number of created invoices; adding another one throws RESOURCE_EXHAUSTED. */
  constructor(limit = 100_000, memory?: StoredMemory) {
    super("invoice", invoicedCustomers * invoicesPerCustomer, seedInvoice, memory);
    this.#limit = limit;
  }

  /** The invoices of a customer, the newest first. */
  of(customerId: number): readonly Readonly<Invoice>[] {
    const last = customerId <= invoicedCustomers ? customerId * invoicesPerCustomer : 0;
    const seeded = last === 0 ? [] : Array.from({ length: invoicesPerCustomer }, (_, at) => last - at);
    return this.batch([...(this.#createdOf.get(customerId)?.toReversed() ?? []), ...seeded]);
  }

  /** Adds an open invoice like this one, with an id and totals of its own. Throws RESOURCE_EXHAUSTED. */
  add(invoice: Invoice): Readonly<Invoice> {
    if (this.#created >= this.#limit) {
      throw new CallError("RESOURCE_EXHAUSTED", `the store is full: it has the maximum of ${this.#limit} new invoices`);
    }
    const kept = addTotals(clone(InvoiceSchema, invoice));
    kept.id = this.count + this.#created + 1;
    kept.status = InvoiceStatus.OPEN;
    this.set(kept.id, kept);
    this.#created += 1;
    const created = this.#createdOf.get(kept.customerId);
    if (created === undefined) this.#createdOf.set(kept.customerId, [kept.id]);
    else created.push(kept.id);
    return kept;
  }
}
