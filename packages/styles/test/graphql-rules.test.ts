// What descriptions of the GraphQL schema say of a contract's rules, and what is deprecated there.
import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  printType,
  validateSchema,
} from "graphql";
import { expect, test } from "vitest";
import { builtInImage, contractFromImage, withoutComments } from "@roundtrip/contract";
import { contractSchema, sdlOf } from "../src/graphql/schema/schema.ts";
import { edgesOf } from "../src/graphql/edges/edges.ts";
import { graphqlModel } from "../src/graphql/schema/model.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

function schemaOf(source: string): GraphQLSchema {
  const contract = compileContract(
    `syntax = "proto3"; package shop.v1; import "buf/validate/validate.proto"; ${source}`,
  );
  return contractSchema(edgesOf(graphqlModel(contract)), () => ({ resolve: () => undefined }));
}

const rules = (text: string): string => `f = 1 [(buf.validate.field).${text}];`;

test.each([
  [`uint32 ${rules("uint32 = {gte: 1, lt: 10}")}`, "1 to 9."],
  [`double ${rules("double.gt = 0.5")}`, "Above 0.5."],
  [`int64 ${rules("int64.gt = 0")}`, "At least 1."],
  [`uint64 ${rules("uint64 = {gte: 5, lt: 18446744073709551615}")}`, "5 to 18446744073709551614."],
  [`sint64 ${rules("sint64 = {gte: 10, lte: -10}")}`, "Not: -9 to 9."],
  [`int64 f = 1 [(buf.validate.field) = {int64: {gte: 7}, ignore: IGNORE_IF_ZERO_VALUE}];`, "If set: At least 7."],
  [`repeated fixed64 ${rules("repeated.items.fixed64.lte = 9")}`, "Each item: At most 9."],
  [`string ${rules("string.min_len = 1")}`, "At least 1 character."],
  [`map<string, string> ${rules("map.max_pairs = 1")}`, "At most 1 entry."],
  [`string ${rules("string.email = true")}`, "Email address."],
  [`string ${rules("string.tuuid = true")}`, "Matches `^[0-9a-fA-F]{32}$`."],
  [`string ${rules("string = {in: ['a', 'b']}")}`, 'One of "a", "b".'],
  [`string ${rules("string.not_contains = '..'")}`, "Not: Matches `\\.\\.`."],
  [`string f = 1 [(buf.validate.field) = {string: {uri: true}, ignore: IGNORE_IF_ZERO_VALUE}];`, "If set: URI."],
  [`Kind ${rules("enum = {not_in: [0, 2]}")}`, "Not OLD."],
  [`Kind ${rules("enum = {in: [1, 2]}")}`, "One of NEW, OLD."],
  [
    `repeated string ${rules("repeated = {max_items: 3, unique: true, items: {string: {min_len: 2}}}")}`,
    "At most 3 items. Without duplicates. Each item: At least 2 characters.",
  ],
  [
    `map<string, int32> ${rules("map = {max_pairs: 4, keys: {string: {max_len: 5}}, values: {int32: {gt: 0}}}")}`,
    "At most 4 entries. Each key: At most 5 characters. Each value: At least 1.",
  ],
  ["oneof f { option (buf.validate.oneof).required = true; string a = 1; string b = 2; }", "Required."],
])("%s: %s", (field, description) => {
  const schema = schemaOf(`
    service Shop { rpc Put(PutRequest) returns (PutRequest); }
    enum Kind { KIND_UNSPECIFIED = 0; KIND_NEW = 1; KIND_OLD = 2; }
    message PutRequest { ${field} }`);
  const { f } = (schema.getType("PutInput") as GraphQLInputObjectType).getFields();
  expect(f?.description).toBe(description);
});

test("what the contract deprecates is deprecated, except what every request must have", () => {
  const schema = schemaOf(`
    service Shop {
      rpc GetItem(GetItemRequest) returns (Item) { option idempotency_level = NO_SIDE_EFFECTS; }
      rpc FetchItem(GetItemRequest) returns (Item) { option idempotency_level = NO_SIDE_EFFECTS; option deprecated = true; }
      rpc PutItem(Item) returns (Item);
    }
    service OldShop { option deprecated = true; rpc DropItem(Item) returns (Item); }
    enum Kind { KIND_UNSPECIFIED = 0; KIND_NEW = 1; KIND_OLD = 2 [deprecated = true]; }
    message GetItemRequest {
      string id = 1 [deprecated = true, (buf.validate.field).required = true];
      string hint = 2 [deprecated = true];
    }
    message Item {
      string id = 1;
      Kind kind = 2 [deprecated = true];
      oneof size { int32 grams = 3 [deprecated = true]; int32 litres = 4; }
    }`);
  expect(validateSchema(schema)).toEqual([]);
  const text = (name: string): string => printType(schema.getType(name) as GraphQLInputObjectType);
  expect(text("Query")).toBe(`type Query {
  item(id: String!, hint: String @deprecated): Item
  fetchItem(id: String!, hint: String @deprecated): Item @deprecated
}`);
  expect(text("Mutation")).toBe(`type Mutation {
  putItem(input: ItemInput!): Item!
  dropItem(input: ItemInput!): Item! @deprecated
}`);
  expect(text("Item")).toBe("type Item {\n  id: String!\n  kind: Kind @deprecated\n  size: ItemSize\n}");
  expect(text("ItemSizeGrams")).toContain("grams: Int! @deprecated");
  expect(text("ItemInput")).toContain("kind: Kind @deprecated");
  expect(text("ItemSizeInput")).toContain("grams: Int @deprecated");
  expect(text("Kind")).toBe("enum Kind {\n  NEW\n  OLD @deprecated\n}");
});

test("a contract without comments has its rules in the document, and not in what a server loads", () => {
  const contract = contractFromImage(withoutComments(builtInImage()));
  const schema = contractSchema(edgesOf(graphqlModel(contract)), () => ({ resolve: () => undefined }));
  expect(printType(schema.getQueryType() as GraphQLObjectType)).not.toContain('"""');
  expect(sdlOf(contract)).toContain('"""1 to 200 characters."""');
});
