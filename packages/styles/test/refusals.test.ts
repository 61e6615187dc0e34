// The nearest operation of a REST request that reached none, and the error in its answer.
import { builtInContract } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { refusals } from "../src/rest/refusals.ts";

const contract = builtInContract();

it.each([
  ["GET", "/v1/customer/7?a=b", "GET /v1/customers/{id}"],
  ["GET", "http://localhost/v1/customer/7", "GET /v1/customers/{id}"],
  ["GET", "/v1/customers/7/nam", "GET /v1/customers/{id}/name"],
  ["DELETE", "/v1/customers", "GET /v1/customers"],
  ["GET", "/favicon.ico", undefined],
])("the operation nearest to %s %s is %s", (method, url, address) => {
  expect(refusals.nearest({ method, url }, contract)?.address).toBe(address);
});

it("reads the error in an answer", () => {
  const error = refusals.errorIn({ status: 404, body: '{"code":"UNIMPLEMENTED","detail":"nothing"}' });
  expect([error.code, error.message]).toEqual(["UNIMPLEMENTED", "nothing"]);
});
