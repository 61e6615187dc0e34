// The nearest operation of a request that reached none, and the error in its answer.
import { builtInContract } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";
import { loadRefusals, type UnreachedRequest } from "../src/index.ts";

const contract = builtInContract();
const customers = "roundtrip.v1.CustomerService";
const bare = { method: "POST", target: "/", headers: {}, body: "", status: 400, answerHeaders: {}, answer: "" };

async function nearest(style: string, request: Partial<UnreachedRequest>): Promise<string | undefined> {
  const refusals = await loadRefusals(style);
  return refusals?.nearest({ ...bare, ...request }, contract)?.address;
}

describe("the nearest operation", () => {
  it.each<readonly [style: string, request: Partial<UnreachedRequest>, address: string | undefined]>([
    ["rest", { method: "GET", target: "/v1/customer/7?a=b" }, "GET /v1/customers/{id}"],
    ["rest", { method: "GET", target: "http://localhost/v1/customer/7" }, "GET /v1/customers/{id}"],
    ["rest", { method: "GET", target: "/v1/customers/7/nam" }, "GET /v1/customers/{id}/name"],
    ["rest", { method: "DELETE", target: "/v1/customers" }, "GET /v1/customers"],
    ["rest", { method: "GET", target: "/favicon.ico" }, undefined],
    ["grpc", { target: `/${customers}/getCustomer` }, `/${customers}/GetCustomer`],
    ["grpc", { target: "/acme.v1.Customers/GetCustomer" }, `/${customers}/GetCustomer`],
    ["grpc", { target: `/${customers}/Frobnicate` }, undefined],
    ["connect", { target: `/${customers}/GetCustmer?encoding=json` }, `/${customers}/GetCustomer`],
    ["json-rpc", { body: '{"method":"GetCustomer"' }, `${customers}.GetCustomer`],
    ["json-rpc", { body: "[]" }, undefined],
    ["graphql", { body: '{"query":"{ a: custmer(id: 1) { id } customers { id } }"}' }, "query { customer }"],
    ["graphql", { method: "GET", target: "/graphql?query=%7B%20custmer%20%7D" }, "query { customer }"],
    ["graphql", { body: '{"query":"mutation { updateCustmer }"}' }, "mutation { updateCustomer }"],
    ["graphql", { body: '{"query":"{ __schema { nam } }"}' }, undefined],
    ["soap", { body: '<s:Envelope xmlns:s="x"><s:Body>\n<m:GetCustmer xmlns:m="y"/>' }, "GetCustomer"],
  ])("over %s of %j is %s", async (style, request, address) => {
    expect(await nearest(style, request)).toBe(address);
  });
});

describe("the error in an answer", () => {
  it.each<readonly [style: string, answer: Partial<UnreachedRequest>, error: string | undefined]>([
    ["rest", { status: 404, answer: '{"code":"UNIMPLEMENTED","detail":"nothing"}' }, "UNIMPLEMENTED: nothing"],
    ["rest", { status: 200, answer: "<html>" }, undefined],
    ["graphql", { status: 200, answer: '{"errors":[{"message":"no"}]}' }, "UNKNOWN: no"],
    ["graphql", { status: 200, answer: '{"data":{}}' }, undefined],
    ["graphql", { status: 404, answer: "" }, "NOT_FOUND: HTTP 404"],
    ["grpc", { status: 200, answerHeaders: { "grpc-status": "12", "grpc-message": "a%20b" } }, "UNIMPLEMENTED: a b"],
    ["grpc", { status: 200, answerHeaders: { "grpc-status": "0" } }, undefined],
    ["grpc", { status: 415 }, "UNKNOWN: the content type is not one of gRPC"],
    [
      "connect",
      { status: 200, answer: '\u0002{"error":{"code":"internal","message":"}"},"metadata":{}}' },
      "INTERNAL: }",
    ],
    ["connect", { status: 200, answer: "\u0080grpc-status: 12\r\ngrpc-message: no" }, "UNIMPLEMENTED: no"],
    ["json-rpc", { status: 200, answer: '{"error":{"code":-32601,"message":"no"}}' }, "UNIMPLEMENTED: no"],
    [
      "json-rpc",
      { status: 200, answer: '[{"result":{}},{"error":{"code":-32601,"message":"no"}}]' },
      "UNIMPLEMENTED: no",
    ],
    ["json-rpc", { status: 200, answer: '{"result":{}}' }, undefined],
    ["soap", { status: 200, answer: "" }, undefined],
  ])("of %s %j is %s", async (style, answer, error) => {
    const found = (await loadRefusals(style))?.errorIn({ ...bare, ...answer });
    expect(found && `${found.code}: ${found.message}`).toBe(error);
  });
});
