// The fast reader of requests gives the same request as the general reader, or leaves the request to it.
import { equals, toJson } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import type { GetCustomerRequest } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainRequestReader } from "../src/rest/requests/plain-request.ts";
import { carefulRequestReader } from "../src/rest/requests/request-reader.ts";
import { library } from "../../stacks/test/support/library.ts";

const contract = builtInContract();

function readersOf(id: string, of = contract) {
  const operation = of.operation(id);
  const [binding] = operation.bindings;
  return {
    operation,
    plain: plainRequestReader(operation, binding),
    careful: carefulRequestReader(of, operation, binding),
  };
}

const getCustomer = readersOf("roundtrip.v1.CustomerService.GetCustomer");
const sayHello = readersOf("roundtrip.v1.HelloService.SayHello");
const listCustomers = readersOf("roundtrip.v1.CustomerService.ListCustomers");

const id = fc.oneof(
  fc.integer().map(String),
  fc.integer({ min: -(2 ** 33), max: 2 ** 33 }).map(String),
  fc.constantFrom("", "-0", "00", "01", "+1", "1.0", "1e3", "0x1", " 1", "1%20", "%31", "%", "one", "2147483648"),
);
const mask = fc
  .array(fc.constantFrom("id", "name", "phoneNumber", "phone_number", "shoe-size", "", "*", "a.b"), { maxLength: 7 })
  .map((names) => names.join(","));
const word = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", "a+b", "%2B", "%", "%zz", "%F0%9F", "ä b"));
const spelled = fc.oneof(
  fc.tuple(word, fc.boolean()).map(([text, encode]) => (encode ? encodeURIComponent(text.toWellFormed()) : text)),
  mask,
  mask.map(encodeURIComponent),
  id,
);
const name = fc.constantFrom(
  "id",
  "readMask",
  "read_mask",
  "name",
  "pageSize",
  "page_size",
  "pageToken",
  "nickname",
  "",
  "n%61me",
);
const query = fc
  .array(
    fc.oneof(
      fc.tuple(name, spelled).map((pair) => pair.join("=")),
      name,
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.join("&"));

describe.each([
  { title: "GetCustomer", readers: getCustomer, segments: (text: string) => ["v1", "customers", text] },
  { title: "SayHello", readers: sayHello, segments: () => ["v1", "hello"] },
  { title: "ListCustomers", readers: listCustomers, segments: () => ["v1", "customers"] },
])("the fast path for $title", ({ readers: { operation, plain, careful }, segments }) => {
  it("gives the same request as the general reader, or none", () => {
    fc.assert(
      fc.property(id, query, (idText, queryText) => {
        const path = segments(idText);
        const request = plain?.(path, queryText);
        if (request === undefined) return;
        const expected = careful(path, queryText, undefined);
        expect(toJson(operation.input, request)).toEqual(toJson(operation.input, expected));
        expect(equals(operation.input, request, expected)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

it("reads the requests that studies measure", () => {
  expect(getCustomer.plain?.(["v1", "customers", "1"], "readMask=id%2CphoneNumber")).toMatchObject({
    id: 1,
    readMask: { paths: ["id", "phone_number"] },
  });
  expect(sayHello.plain?.(["v1", "hello"], "name=a%20b+c")).toMatchObject({ name: "a b c" });
  expect(listCustomers.plain?.(["v1", "customers"], "page_size=3&pageToken=x")).toMatchObject({
    pageSize: 3,
    pageToken: "x",
  });
});

it("gives each request its own mask, even if masks repeat", () => {
  const request = ["v1", "customers", "1"];
  const first = getCustomer.plain?.(request, "readMask=id") as GetCustomerRequest;
  first.readMask?.paths.push("changed");
  expect(getCustomer.plain?.(request, "readMask=id")).toMatchObject({ readMask: { paths: ["id"] } });
});

it("does not read operations with a body or with parts of a message in the path", () => {
  const withBody = contract.operations.filter(({ bindings: [binding] }) => binding.body !== "");
  expect(withBody.length).toBeGreaterThan(0);
  for (const operation of [
    ...withBody,
    ...library.operations.filter(({ bindings: [{ path }] }) =>
      path.variables.some(({ fieldPath }) => fieldPath.length > 1),
    ),
  ]) {
    expect(plainRequestReader(operation, operation.bindings[0])).toBeUndefined();
  }
});
