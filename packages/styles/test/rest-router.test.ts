// Paths and the templates that they match.
import { builtInContract } from "@roundtrip/contract";
import { describe, expect, test } from "vitest";
import { parsePathTemplate } from "../../contract/src/descriptors/path-template.ts";
import { refusals } from "../src/rest/refusals.ts";
import { Router } from "../src/rest/router.ts";

function routerOf(...routes: readonly string[]): Router<string> {
  const router = new Router<string>();
  for (const route of routes) {
    const [method = "", path = ""] = route.split(" ");
    router.add({ method, path: parsePathTemplate(path), body: "", responseBody: "" }, route);
  }
  return router;
}

const router = routerOf(
  "GET /v1/customers",
  "GET /v1/customers/{id}",
  "DELETE /v1/customers/{id}",
  "GET /v1/customers/me",
  "GET /v1/customers/me/{x}/end",
  "GET /v1/customers/{id}/name",
  "POST /v1/customers/{id}:publish",
  "POST /v1/customers:publish",
  "POST /v1/customers/{id}:publish:now",
  "GET /v1/{name=files/**}",
  "GET /v1/files/{name}/meta",
  "GET /v2/{parent=documents/**}",
  "GET /v2/{parent=documents/**}/{id}/end",
  "GET /v2/{parent=documents/**}/last",
  "* /v1/any",
  "PUT /v1/any",
);

test.for([
  ["GET /v1/customers", "GET /v1/customers"],
  ["GET /v1/customers/1", "GET /v1/customers/{id}"],
  ["GET /v1/customers/me", "GET /v1/customers/me"],
  ["GET /v1/customers/%6de", "GET /v1/customers/me"],
  ["DELETE /v1/customers/me", "DELETE /v1/customers/{id}"],
  ["GET /v1/customers/me/name", "GET /v1/customers/{id}/name"],
  ["GET /v1/customers/me/x/end", "GET /v1/customers/me/{x}/end"],
  ["POST /v1/customers/7:publish", "POST /v1/customers/{id}:publish"],
  ["POST /v1/customers/7:publish:now", "POST /v1/customers/{id}:publish:now"],
  ["POST /v1/customers/7:x:publish", "POST /v1/customers/{id}:publish"],
  ["POST /v1/customers:publish", "POST /v1/customers:publish"],
  ["GET /v1/customers/7:publish", undefined],
  ["GET /v1/customers:publish", undefined],
  ["GET /v1/customers/7%3Apublish", "GET /v1/customers/{id}"],
  ["GET /v1/customers/7:unknown", "GET /v1/customers/{id}"],
  ["GET /v1/files/7:publish", "GET /v1/{name=files/**}"],
  ["GET /v1/files", "GET /v1/{name=files/**}"],
  ["GET /v1/files/a/b/c", "GET /v1/{name=files/**}"],
  ["GET /v1/files/a/meta", "GET /v1/files/{name}/meta"],
  ["GET /v1/files/a/b/meta", "GET /v1/{name=files/**}"],
  ["GET /v2/documents", "GET /v2/{parent=documents/**}"],
  ["GET /v2/documents/a/b", "GET /v2/{parent=documents/**}"],
  ["GET /v2/documents/last", "GET /v2/{parent=documents/**}/last"],
  ["GET /v2/documents/a/b/last", "GET /v2/{parent=documents/**}/last"],
  ["GET /v2/documents/a/end", "GET /v2/{parent=documents/**}/{id}/end"],
  ["GET /v2/documents/end", "GET /v2/{parent=documents/**}"],
  ["GET /v1/any", "* /v1/any"],
  ["PUT /v1/any", "PUT /v1/any"],
  ["GET /v1/customers/", undefined],
  ["GET /v1/customers/1/", undefined],
  ["GET /v2/customers", undefined],
  ["GET /", undefined],
  ["GET *", undefined],
] as const)("%s is answered by %s", ([request, expected]) => {
  const [method = "", path = ""] = request.split(" ");
  expect(router.match(method, path)?.target).toBe(expected);
});

describe("a match", () => {
  test("has the segments as received, without the verb", () => {
    expect(router.match("POST", "/v1/customers/a%2Fb:publish")?.segments).toEqual(["v1", "customers", "a%2Fb"]);
  });
});

test("a path has the methods of all matching templates", () => {
  expect(router.methodsOf("/v1/customers/me")).toEqual(["DELETE", "GET"]);
  expect(router.methodsOf("/v1/customers/1:publish")).toEqual(["POST"]);
  expect(router.methodsOf("/v1/customers/1:unknown")).toEqual(["DELETE", "GET"]);
  expect(router.methodsOf("/v1/nothing")).toEqual([]);
});

test("adding a second route of the same shape returns the first", () => {
  const again = { method: "GET", path: parsePathTemplate("/v1/customers/{other}"), body: "", responseBody: "" };
  expect(router.add(again, "again")).toBe("GET /v1/customers/{id}");
  expect(router.match("GET", "/v1/customers/1")?.target).toBe("GET /v1/customers/{id}");
});

// The nearest operation of a request that reached none, and the error in its answer.

const contract = builtInContract();

test.each([
  ["GET", "/v1/customer/7?a=b", "GET /v1/customers/{id}"],
  ["GET", "http://localhost/v1/customer/7", "GET /v1/customers/{id}"],
  ["GET", "/v1/customers/7/nam", "GET /v1/customers/{id}/name"],
  ["DELETE", "/v1/customers", "GET /v1/customers"],
  ["GET", "/favicon.ico", undefined],
])("the operation nearest to %s %s is %s", (method, url, address) => {
  expect(refusals.nearest({ method, url }, contract)?.address).toBe(address);
});

test("reads the error in an answer", () => {
  const error = refusals.errorIn({ status: 404, body: '{"code":"UNIMPLEMENTED","detail":"nothing"}' });
  expect([error?.code, error?.message]).toEqual(["UNIMPLEMENTED", "nothing"]);
});
