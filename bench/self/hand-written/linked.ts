// The document over edges that the hand-written GraphQL server answers, and its data: lists of invoices, and products by one batch for each document.
import type { Invoice } from "@roundtrip/contract/gen/roundtrip/v1/invoice_pb";
import type { Product } from "@roundtrip/contract/gen/roundtrip/v1/product_pb";
import { InvoiceStore, productStore } from "@roundtrip/service";
import DataLoader from "dataloader";
import { invalid } from "./customers.ts";

/** A customer's last ten invoices with the products of their 50 lines. */
export const linkedDocument = `query Linked($id: Int!) {
  customer(id: $id) {
    name
    invoices(pageSize: 10) { invoices { id currency lines { quantity unitPrice product { name price } } } }
  }
}`;

const invoices = new InvoiceStore();
const products = productStore();

/** How many invoices without a page size. */
const usualInvoices = 50;

/** Throws INVALID_ARGUMENT. */
export function invoicesOf(customerId: number, pageSize = 0): readonly Readonly<Invoice>[] {
  if (pageSize < 0) throw invalid("pageSize", "must be greater than or equal to 0", "int32.gte");
  return invoices.of(customerId).slice(0, pageSize === 0 ? usualInvoices : pageSize);
}

export type ProductLoader = DataLoader<number, Readonly<Product>>;

/** Reads products for one document, as many at once as the contract allows. */
export function productLoader(): ProductLoader {
  // oxlint-disable-next-line require-await
  return new DataLoader(async (ids: readonly number[]) => products.batch(ids), { maxBatchSize: 100 });
}
