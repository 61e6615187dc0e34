// Edges: documents that follow references and Lists get what single calls get, and make no more calls than they need.
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { CustomerSchema, CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import {
  InvoiceSchema,
  InvoiceService,
  ListInvoicesResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/invoice_pb";
import {
  BatchGetProductsResponseSchema,
  ProductSchema,
  ProductService,
} from "@roundtrip/contract/gen/roundtrip/v1/product_pb";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { expectEqual } from "../../case/expectations.ts";
import { someHandlersOf } from "../../support/handlers.ts";

const missing = 404;

interface Answers {
  /** The products that a batch answers with, in this order. */
  readonly batchOf?: (ids: readonly number[]) => readonly number[];
}

function named(id: number) {
  if (id === missing) throw new CallError("NOT_FOUND", `there is none with the id ${id}`);
  return { id, name: `name of ${id}` };
}

function invoice(id: number, customerId: number) {
  return create(InvoiceSchema, { id, customerId, lines: [3, 1, 2].map((productId) => ({ productId })) });
}

/**
 * Serves customers, their two invoices with the products 3, 1 and 2, and batches. The invoice 404 is of a missing customer. `calls` are those of one
 * document, such as `BatchGetProducts 3,1,2`.
 */
async function linked(run: CaseRun, { batchOf = (ids) => ids }: Answers = {}) {
  const calls: string[] = [];
  const called = (name: string, key: unknown): void => void calls.push(`${name} ${String(key)}`);
  const handlers = new Map([
    ...someHandlersOf(CustomerService, {
      getCustomer({ id }) {
        called("GetCustomer", id);
        return create(CustomerSchema, named(id));
      },
    }),
    ...someHandlersOf(InvoiceService, {
      getInvoice({ id }) {
        called("GetInvoice", id);
        return invoice(id, id === missing ? missing : 7);
      },
      listInvoices({ customerId }) {
        called("ListInvoices", customerId);
        return create(ListInvoicesResponseSchema, { invoices: [invoice(1, customerId), invoice(2, customerId)] });
      },
    }),
    ...someHandlersOf(ProductService, {
      getProduct({ id }) {
        called("GetProduct", id);
        return create(ProductSchema, named(id));
      },
      batchGetProducts({ ids }) {
        called("BatchGetProducts", ids);
        return create(BatchGetProductsResponseSchema, { products: batchOf(ids).map((id) => named(id)) });
      },
    }),
  ]);
  return { ...(await run.serve(handlers)), calls };
}

const products = { lines: [3, 1, 2].map((id) => ({ productId: id, product: named(id) })) };
const ofLines = "lines { productId product { id name } }";

/** The cases RT-19xx. */
export const edgeCases = casesIn("edges", ["customers", "invoices", "server", "misuse"], {
  async "RT-1901 an edge is what its Get answers"(run) {
    const { readDocument, call } = await linked(run);
    const { data } = await readDocument("{ invoice(id: 1) { customer { id name } } }");
    const { id, name } = await call(CustomerService.method.getCustomer, { id: 7 });
    expectEqual(data, { invoice: { customer: { id, name } } }, "data");
  },
  async "RT-1902 an edge to a missing resource is null, with the error at its path, and all else is answered"(run) {
    const { readDocument } = await linked(run);
    const { data, errors = [] } = await readDocument(`{ invoice(id: ${missing}) { id customer { name } ${ofLines} } }`);
    expectEqual(data, { invoice: { id: missing, customer: null, ...products } }, "data");
    const paths = errors.map(({ path, extensions }) => [path?.join("."), extensions?.code]);
    expectEqual(paths, [["invoice.customer", "NOT_FOUND"]], "errors");
  },
  async "RT-1903 resources of a reversed, short and mixed batch are matched by their keys"(run) {
    const { readDocument } = await linked(run, { batchOf: (ids) => [9, ...ids.slice(1).toReversed()] });
    const { data, errors } = await readDocument(`{ invoice(id: 1) { ${ofLines} } }`);
    expectEqual([data, errors], [{ invoice: products }, undefined], "answer");
  },
  async "RT-1904 a document makes one call for each level, and one for all keys of a batch"(run) {
    const { readDocument, calls } = await linked(run);
    await readDocument(`{ customer(id: 7) { invoices { invoices { customer { name } ${ofLines} } } } }`);
    const expected = ["GetCustomer 7", "ListInvoices 7", "BatchGetProducts 3,1,2", "GetCustomer 7"];
    expectEqual(calls.toSorted(), expected.toSorted(), "calls");
  },
});
