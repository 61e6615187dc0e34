// Paging: pages joined together are the list (AIP-158).
import { CustomerService, type Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { fullCustomer, someCustomer } from "../../support/customers.ts";
import { expect, expectEqual, expectViolations, inTurn } from "../../case/expectations.ts";

const { getCustomer, listCustomers } = CustomerService.method;

const maxPageSize = 1_000;
// A target may have too many customers to read: then only its first pages are checked.
const maxPages = 30;

interface Walk {
  readonly pages: readonly (readonly Customer[])[];
  readonly customers: readonly Customer[];
  /** False when the walk stopped before the last page. */
  readonly complete: boolean;
}

/** Follows page tokens from the start. */
async function walk(run: CaseRun, pageSize: number): Promise<Walk> {
  const pages: (readonly Customer[])[] = [];
  let pageToken = "";
  do {
    // Each page's token is in the page before.
    // oxlint-disable-next-line no-await-in-loop
    const page = await run.call(listCustomers, { pageSize, pageToken });
    pages.push(page.customers);
    pageToken = page.nextPageToken;
  } while (pageToken !== "" && pages.length < maxPages);
  return { pages, customers: pages.flat(), complete: pageToken === "" };
}

async function createSome(run: CaseRun, count: number): Promise<readonly Customer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      someCustomer(run, { ...fullCustomer, name: `Customer ${index}` }, index),
    ),
  );
}

/** The cases RT-03xx. */
export const pagingCases = casesIn("paging", ["customers"], {
  async "RT-0301 joined pages are the whole list, in order, without duplicates"(run) {
    await createSome(run, 5);
    const whole = await walk(run, maxPageSize);
    const small = await walk(run, 7);
    expect(!whole.complete || !small.complete || whole.customers.length === small.customers.length, "lists differ");
    const count = Math.min(whole.customers.length, small.customers.length);
    expectEqual(small.customers.slice(0, count), whole.customers.slice(0, count), "customers");
  },
  async "RT-0302 ids increase from page to page"(run) {
    await createSome(run, 3);
    const ids = (await walk(run, 11)).customers.map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      const before = ids[index - 1] ?? 0;
      expect(id > before, `customers[${index}]: id ${id} comes after id ${before}`);
    }
  },
  async "RT-0303 no page is larger than requested"(run) {
    await createSome(run, 3);
    await inTurn([1, 2, 50], async (pageSize) => {
      const { pages } = await walk(run, pageSize);
      const largest = Math.max(...pages.map((page) => page.length));
      expect(largest <= pageSize, `got a page of ${largest} customers, requested at most ${pageSize}`);
    });
  },
  async "RT-0304 page size 0 means the default of 50"(run) {
    await createSome(run, 2);
    const byDefault = await run.call(listCustomers, {});
    expectEqual(byDefault, await run.call(listCustomers, { pageSize: 50 }), "page");
    expect(byDefault.customers.length > 0, "the list is empty, but two customers were created");
  },
  async "RT-0305 a page size above 1000 is valid and returns at most 1000"(run) {
    await createSome(run, 2);
    const large = await run.call(listCustomers, { pageSize: 2 ** 31 - 1 });
    expect(large.customers.length <= maxPageSize, `a page of ${large.customers.length} customers`);
    expectEqual(large, await run.call(listCustomers, { pageSize: maxPageSize }), "page");
  },
  async "RT-0306 an unknown page token is INVALID_ARGUMENT"(run) {
    await inTurn(["nonsense", "0", "-1", " ", "ü", "YWZ0ZXI6"], (pageToken) =>
      expectViolations(run.call(listCustomers, { pageToken }), [{ field: "page_token", reason: "page_token" }]),
    );
  },
  async "RT-0307 a negative page size is INVALID_ARGUMENT"(run) {
    const call = run.call(listCustomers, { pageSize: -1 });
    await expectViolations(call, [{ field: "page_size", reason: "int32.gte" }]);
  },
  async "RT-0308 a customer in a page is the customer that a read returns"(run) {
    await createSome(run, 1);
    const { customers } = await run.call(listCustomers, { pageSize: 5 });
    const alone = await Promise.all(customers.map(({ id }) => run.call(getCustomer, { id })));
    expectEqual(customers, alone, "customers");
  },
  async "RT-0309 a page token works with another page size"(run) {
    await createSome(run, 4);
    const first = await run.call(listCustomers, { pageSize: 1 });
    const second = await run.call(listCustomers, { pageSize: 2, pageToken: first.nextPageToken });
    const both = await run.call(listCustomers, { pageSize: 3 });
    expectEqual([...first.customers, ...second.customers], both.customers, "customers");
  },
  async "RT-0310 the last page has no token, also when it is full, and the page before it has one"(run) {
    await createSome(run, 2);
    const whole = await run.call(listCustomers, { pageSize: maxPageSize });
    const count = whole.customers.length;
    // A target with more than one page: its last page is too far away.
    if (count >= maxPageSize) return;
    expectEqual(whole.nextPageToken, "", "token of a last page");
    const full = await run.call(listCustomers, { pageSize: count });
    expectEqual(full.nextPageToken, "", "token of a full last page");
    const short = await run.call(listCustomers, { pageSize: count - 1 });
    expect(short.nextPageToken !== "", "no token, but one customer is left");
    const last = await run.call(listCustomers, { pageSize: count, pageToken: short.nextPageToken });
    expectEqual(last, { ...full, customers: full.customers.slice(-1) }, "last page");
  },
});
