// Customers in memory: a read keeps what it read, a refused write changes nothing, the order of ids is the order of pages.
import { create } from "@bufbuild/protobuf";
import { maxListedBytes, StoredMemory } from "@roundtrip/contract";
import { CustomerSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { CustomerStore } from "../src/customer-store.ts";

const code = (expected: string) => expect.objectContaining({ name: "CallError", code: expected });

function storeOf(ids: readonly number[], limit?: number): CustomerStore {
  return new CustomerStore(
    ids.map((id) => create(CustomerSchema, { id, name: `customer ${id}` })),
    limit,
  );
}

function idsOf(store: CustomerStore): readonly number[] {
  return store.page(0, 1_000).customers.map(({ id }) => id);
}

it("leaves a customer that was read as it was read", () => {
  const store = storeOf([1]);
  const read = store.get(1);
  store.replace({ ...read, name: "new" });
  store.rename(1, 2);
  expect(read).toMatchObject({ id: 1, name: "customer 1" });
  const renamed = store.get(2);
  store.rename(2, 3);
  expect(renamed.id).toBe(2);
  store.rename(3, 2);
  expect(store.get(2)).toMatchObject({ id: 2, name: "new" });
});

it("refuses customers above its limit, and accepts one again after a removal", () => {
  const store = storeOf([1, 2], 2);
  const third = create(CustomerSchema, { id: 3 });
  expect(() => store.add(third)).toThrow(code("RESOURCE_EXHAUSTED"));
  store.remove(1);
  store.add(third);
  expect(idsOf(store)).toEqual([2, 3]);
});

const large = (id: number) => create(CustomerSchema, { id, address: "a".repeat(4_000) });

it("refuses bytes above its limit, and accepts them again after a removal", () => {
  const store = new CustomerStore([], undefined, new StoredMemory("the customers", 10_000));
  store.add(large(1));
  store.add(large(2));
  for (const write of [() => store.add(large(3)), () => store.replace({ ...store.get(1), name: "a".repeat(4_000) })]) {
    expect(write).toThrow(
      expect.objectContaining({
        code: "RESOURCE_EXHAUSTED",
        message: "the customers exceed 10000 bytes: delete some",
      }),
    );
  }
  expect(store.get(1).name).toBe("");
  store.rename(1, 4);
  store.remove(4);
  store.add(large(3));
  expect(idsOf(store)).toEqual([2, 3]);
});

it("ends a page before an answer is too large, but not before its first customer", () => {
  const address = "a".repeat(maxListedBytes / 2 - 1_000);
  const store = new CustomerStore([1, 2, 3, 4].map((id) => create(CustomerSchema, { id, address })));
  store.replace({ ...store.get(4), name: address, mail: address });
  const pageAfter = (id: number) => {
    const { customers, more } = store.page(id, 1_000);
    return [customers.map((customer) => customer.id), more];
  };
  expect([pageAfter(0), pageAfter(2), pageAfter(3)]).toEqual([
    [[1, 2], true],
    [[3], true],
    [[4], false],
  ]);
});

it("pages through all customers by ascending id, for any ids, page size and start", () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { maxLength: 40 });
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 10 }), fc.nat(2 ** 31), (all, size, start) => {
      const store = storeOf(all);
      const seen: number[] = [];
      let after = start;
      for (let more = true; more;) {
        const page = store.page(after, size);
        expect(page.customers.length).toBeLessThanOrEqual(size);
        seen.push(...page.customers.map(({ id }) => id));
        after = seen.at(-1) ?? after;
        more = page.more;
      }
      expect(seen).toEqual(all.filter((id) => id > start).toSorted((a, b) => a - b));
    }),
  );
});
