// Floats as text, in every style that has text: the shortest that is read as the same float, as a field, in lists, maps, oneofs and wrappers.
import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import { expect, test } from "vitest";
import { compileContract } from "./support/compile-contract.ts";
import { graphqlStack, jsonRpcStack, pairOf, restStack, soapStack } from "./support/pair.ts";

const contract = compileContract(`
syntax = "proto3";
package rates.v1;
import "google/api/annotations.proto";
import "google/protobuf/wrappers.proto";
service Rates {
  rpc Put(Rate) returns (Rate) { option (google.api.http) = {post: "/v1/rates" body: "*"}; }
  rpc Get(Rate) returns (Rate) { option idempotency_level = NO_SIDE_EFFECTS; option (google.api.http) = {get: "/v1/rates"}; }
}
message Rate {
  float plain = 1;
  repeated float many = 2;
  map<string, float> by_name = 3;
  google.protobuf.FloatValue wrapped = 4;
  repeated google.protobuf.FloatValue wrappers = 5;
  oneof choice { float chosen = 6; string text = 7; }
  Rate inner = 8;
  double exact = 9;
}
`);
const put = contract.operation("rates.v1.Rates.Put");
/** Answers with the floats of the request: Connect's library reads doubles. */
const echo = (request: Message): Message => fromBinary(put.input, toBinary(put.input, request));
const rates = serviceOf(contract, new Map(contract.operations.map(({ id }) => [id, echo])));

const json = {
  plain: 2.9,
  many: [0.1, 16777216, "NaN"],
  byName: { a: 0.3 },
  wrapped: 1e-45,
  wrappers: [3.4028235e38],
  chosen: -2.9,
  inner: { plain: 0.7 },
  exact: 2.9000000953674316,
};
const text = JSON.stringify(json);
const headers = { "content-type": "application/json" };

test.each([
  [restStack, "/v1/rates", text],
  ["connect-node", "/rates.v1.Rates/Put", text],
  [jsonRpcStack, "", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rates.v1.Rates.Put", params: json })],
])("%s writes them in JSON", async (stack, path, body) => {
  const { server } = await pairOf(stack, rates);
  const answer = await fetch(`${server.url}${path}`, { method: "POST", headers, body });
  expect(await answer.text()).toContain(text);
});

test("connect-node writes them in the answer of a GET", async () => {
  const { server } = await pairOf("connect-node", rates);
  const query = new URLSearchParams({ connect: "v1", encoding: "json", message: '{"plain":2.9}' });
  expect(await (await fetch(`${server.url}/rates.v1.Rates/Get?${query.toString()}`)).text()).toBe('{"plain":2.9}');
});

test("GraphQL writes them in JSON", async () => {
  const { server } = await pairOf(graphqlStack, rates);
  const query = "mutation { put(input: {plain: 2.9, many: [0.1], wrapped: 0.3}) { plain many wrapped } }";
  const answer = await fetch(server.url, { method: "POST", headers, body: JSON.stringify({ query }) });
  expect(await answer.text()).toContain('{"plain":2.9,"many":[0.1],"wrapped":0.3}');
});

test("SOAP writes them in XML", async () => {
  const { server } = await pairOf(soapStack, rates);
  const element = '<Put xmlns="urn:protobuf:service:rates:v1:Rates"><plain xmlns="">2.9</plain></Put>';
  const body = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${element}</s:Body></s:Envelope>`;
  const answer = await fetch(server.url, { method: "POST", headers: { "content-type": "text/xml" }, body });
  expect(await answer.text()).toContain("plain>2.9<");
});

test.each(["json", "proto"])("a client of Connect reads the same floats in %s", async (encoding) => {
  const { client } = await pairOf("connect-node", rates, { connect: { settings: { encoding } } });
  const rate = create(put.input, { plain: Math.fround(2.9), many: [Math.fround(0.1)], exact: 0.1 });
  expect(await client.prepare(put)(rate)).toEqual(rate);
});
