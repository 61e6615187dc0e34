// What a GraphQL developer expects and protobuf has no word for: masks as enums, no token on the last page, one type for one thing.
import { create } from "@bufbuild/protobuf";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService } from "@roundtrip/service";
import { describe, expect, test } from "vitest";
import { style as graphql } from "../../styles/src/graphql/index.ts";
import { caught, contract, graphqlStack, pairOf } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";
import { graphqlPost } from "./support/graphql-post.ts";

const update = contract.operation("roundtrip.v1.CustomerService.UpdateCustomer");

const shop = compileContract(`
syntax = "proto3";
package shop.v1;
import "google/protobuf/field_mask.proto";
import "buf/validate/validate.proto";
service Shop {
  rpc GetPrice(PriceOf) returns (GetPriceResponse) { option idempotency_level = NO_SIDE_EFFECTS; }
  rpc SetPrice(UpdateItem) returns (SetPriceResponse);
  rpc Pay(UpdateOrder) returns (PayResponse);
  rpc Swap(UpdateTwo) returns (SwapResponse);
  rpc Walk(UpdateNothing) returns (WalkResponse) { option idempotency_level = NO_SIDE_EFFECTS; }
}
message PriceOf {
  string id = 1 [(buf.validate.field).string.len = 8];
  repeated int32 years = 2 [(buf.validate.field).repeated.max_items = 9];
  int32 most = 3 [(buf.validate.field).int32 = {gt: 0, lt: 100}];
  string code = 4 [(buf.validate.field).string = {min_len: 1, max_len: 5}];
}
message Item { string id = 1; int32 unit_price = 2; }
message Order { Item item = 1; }
message UpdateItem { Item item = 1; google.protobuf.FieldMask update_mask = 2; }
message UpdateOrder { Order order = 1; google.protobuf.FieldMask update_mask = 2; }
message UpdateTwo { Item one = 1; Item other = 2; google.protobuf.FieldMask update_mask = 3; }
message UpdateNothing { google.protobuf.FieldMask update_mask = 1; string next_page_token = 2; }
message GetPriceResponse { int32 price = 1; }
message SetPriceResponse { int32 price = 1; }
message PayResponse { int64 price = 1; }
message SwapResponse { optional int32 price = 1; }
message WalkResponse { string next_page_token = 1; }
message Odd { string fooBar = 1; string foo_bar_2 = 2; string __x = 3; string FOO_BAR = 4 [json_name = "other"]; }
`);

function signatureOf(name: string): string {
  return graphql.view(shop.operation(`shop.v1.Shop.${name}`), shop).signature;
}

async function sdl(): Promise<string> {
  const [document] = await graphql.documents(shop);
  return document?.text ?? "";
}

describe("an update mask over a flat message", () => {
  const query = "mutation ($input: UpdateCustomerInput!) { updateCustomer(input: $input) { name mail } }";

  test("is a list of an enum of its fields", async () => {
    const { server } = await pairOf(graphqlStack, realService(contract));
    const customer = { id: 5, name: "Ada", mail: "ignored@example.com" };
    const named = await graphqlPost(server, { query, variables: { input: { customer, updateMask: ["NAME"] } } });
    expect(named.data).toEqual({ updateCustomer: { name: "Ada", mail: "customer5@example.com" } });
    const misnamed = await graphqlPost(server, { query, variables: { input: { customer, updateMask: ["shoeSize"] } } });
    expect(misnamed.errors[0]).toMatchObject({
      message: expect.stringContaining('"CustomerField"') as string,
      extensions: { code: "INVALID_ARGUMENT" },
    });
  });

  test("is refused by the client, path by path, where it names what the enum has not", async () => {
    const { client } = await pairOf(graphqlStack, realService(contract));
    const request = create(pb.UpdateCustomerRequestSchema, {
      customer: { id: 5 },
      updateMask: { paths: ["hat_size", "name", "shoe_size"] },
    });
    expect(await caught(client.prepare(update)(request))).toMatchObject({
      message: 'update_mask: Customer has no field "hat_size"',
      details: {
        violations: [
          { field: "update_mask", description: 'Customer has no field "hat_size"', reason: "field_mask" },
          { field: "update_mask", description: 'Customer has no field "shoe_size"', reason: "field_mask" },
        ],
      },
    });
  });

  test("stays text where paths could go deeper, or could mean one of several messages, or none", async () => {
    const text = await sdl();
    expect(text).toContain("input UpdateItemInput {\n  item: ItemInput\n  updateMask: [ItemField!]\n}");
    expect(text).toContain("enum ItemField {\n  ID\n  UNIT_PRICE\n}");
    expect(text).toContain("input UpdateOrderInput {\n  order: OrderInput\n  updateMask: [String!]\n}");
    expect(text).toContain("input UpdateTwoInput {\n  one: ItemInput\n  other: ItemInput\n  updateMask: [String!]\n}");
    expect(text).toContain("walk(updateMask: [String!], nextPageToken: String)");
    expect(text.match(/enum /g)).toHaveLength(1);
  });
});

describe("the token of the next page", () => {
  const query = "query ($pageSize: Int) { customers(pageSize: $pageSize) { nextPageToken } }";

  test("is null on the last page and text on others", async () => {
    const { server } = await pairOf(graphqlStack, realService(contract));
    const pageOf = async (pageSize: number) => (await graphqlPost(server, { query, variables: { pageSize } })).data;
    expect(await pageOf(1000)).toEqual({ customers: { nextPageToken: null } });
    expect(await pageOf(1)).toEqual({ customers: { nextPageToken: expect.any(String) as string } });
  });
});

test("what a mutation has written is of the type that a query reads, if their answers have the same fields", async () => {
  expect(signatureOf("SetPrice")).toBe("mutation setPrice(input: UpdateItemInput!): Price!");
  expect(signatureOf("Pay")).toBe("mutation pay(input: UpdateOrderInput!): PayPayload!");
  expect(signatureOf("Swap")).toBe("mutation swap(input: UpdateTwoInput!): SwapPayload!");
  expect((await sdl()).match(/^type Price/gm)).toHaveLength(1);
});

test("the schema states the limits of a value at its argument", async () => {
  const text = await sdl();
  for (const limit of ["8 characters.", "At most 9 items.", "1 to 99.", "1 to 5 characters."]) {
    expect(text).toContain(`"""${limit}"""`);
  }
});
