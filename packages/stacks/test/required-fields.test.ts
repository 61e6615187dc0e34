// A request without a required field is INVALID_ARGUMENT over every style, whether proto2 requires the field or google.api.field_behavior does.
import { expect, it } from "vitest";
import { parse } from "yaml";
import { loadStack } from "../src/index.ts";
import { compileContract } from "./support/compile-contract.ts";
import { conformanceOf } from "./support/conformance-of.ts";
import { graphqlStack, grpcStack, jsonRpcStack, soapStack } from "./support/pair.ts";

const contract = compileContract(`
syntax = "proto2";
package acme.v1;
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
service Orders {
  rpc Place(PlaceRequest) returns (Order) { option (google.api.http) = {post: "/v1/orders" body: "order"}; }
  rpc Find(FindRequest) returns (Order) { option (google.api.http) = {get: "/v1/orders"}; }
  rpc Send(Parcel) returns (Parcel) { option (google.api.http) = {post: "/v1/parcels" body: "*"}; }
}
message Order {
  required string customer = 1;
  optional string note = 2 [(google.api.field_behavior) = REQUIRED];
  optional string number = 3 [(google.api.field_behavior) = OUTPUT_ONLY];
  optional string card = 4 [(google.api.field_behavior) = INPUT_ONLY];
}
message PlaceRequest { optional Order order = 1 [(google.api.field_behavior) = REQUIRED]; }
message Parcel { optional Label label = 1; }
message Label { optional Address address = 1; }
message Address { optional Country country = 1; }
message Country { optional Name name = 1 [(google.api.field_behavior) = REQUIRED]; }
message Name { optional string text = 1; }
message FindRequest { optional string text = 1 [(google.api.field_behavior) = REQUIRED]; optional int32 limit = 2; }
`);

it.each([grpcStack, "rest-express", graphqlStack, soapStack, jsonRpcStack, "connect-node"])(
  "is judged by a case of conform over %s",
  async (stackName) => {
    const results = await conformanceOf(stackName, contract);
    expect(results.filter(({ status }) => status === "fail")).toEqual([]);
    expect(results.filter(({ caseId, status }) => caseId.startsWith("RQ-") && status === "pass")).toHaveLength(2);
  },
);

it("is in the OpenAPI document: required, readOnly and writeOnly", async () => {
  const [document] = await (await loadStack("rest-express")).documents(contract);
  const openApi = parse(document?.text ?? "") as {
    readonly paths: Record<string, { get: { parameters: { name: string; required?: boolean }[] } }>;
    readonly components: { readonly schemas: Record<string, { properties: Record<string, object> }> };
  };
  const parameters = openApi.paths["/v1/orders"]?.get.parameters.map(({ name, required }) => [name, required]);
  expect(parameters).toEqual([
    ["text", true],
    ["limit", undefined],
  ]);
  const { properties } = openApi.components.schemas["Order"] ?? { properties: {} };
  expect(properties["number"]).toMatchObject({ readOnly: true });
  expect(properties["card"]).toMatchObject({ writeOnly: true });
});
