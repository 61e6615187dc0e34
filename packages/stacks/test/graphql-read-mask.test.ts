// The selection set of a GraphQL document is the read mask that the service sees.
import { create, type Message } from "@bufbuild/protobuf";
import type { Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { CustomerSchema, type GetCustomerRequest } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { expect, test } from "vitest";
import { compileContract } from "./support/compile-contract.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { contract, graphqlStack, pairOf } from "./support/pair.ts";

const stack = graphqlStack;

/** A customer service that writes down the read masks it sees. */
function watched(): { readonly service: Service; readonly masks: (readonly string[] | undefined)[] } {
  const masks: (readonly string[] | undefined)[] = [];
  const getCustomer = (request: Message): Message => {
    masks.push((request as GetCustomerRequest).readMask?.paths);
    return create(CustomerSchema, { id: 1 });
  };
  const service = serviceOf(contract, new Map([["roundtrip.v1.CustomerService.GetCustomer", getCustomer]]));
  return { service, masks };
}

const fragment = "fragment f on Customer { mail ...g } fragment g on Customer { phoneNumber }";

test.each([
  { selection: "name", mask: ["name"] },
  { selection: "vatIdentificationNumber name", mask: ["name", "vat_identification_number"] },
  { selection: "n: name name again: mail", mask: ["name", "mail"] },
  { selection: "__typename", mask: undefined },
  { selection: "...f", mask: ["mail", "phone_number"], fragment },
  { selection: "... on Customer { id } ... { name }", mask: ["id", "name"] },
  { selection: "name @skip(if: true) mail @include(if: true) id @include(if: false)", mask: ["mail"] },
  { selection: "... @include(if: false) { name } mail", mask: ["mail"] },
  { selection: "id name address mail phoneNumber vatIdentificationNumber", mask: undefined },
])("{ $selection } reads $mask", async ({ selection, mask, fragment: fragments = "" }) => {
  const { service, masks } = watched();
  const { server } = await pairOf(stack, service);
  const { errors } = await graphqlPost(server, { query: `{ customer(id: 1) { ${selection} } } ${fragments}` });
  expect(errors).toEqual([]);
  expect(masks).toEqual([mask]);
});

test("a selection that depends on variables is read anew in each call", async () => {
  const { service, masks } = watched();
  const { server } = await pairOf(stack, service);
  const query = "query q($all: Boolean!) { customer(id: 1) { id name @include(if: $all) } }";
  await graphqlPost(server, { query, variables: { all: false } });
  await graphqlPost(server, { query, variables: { all: true } });
  await graphqlPost(server, { query, variables: { all: false } });
  expect(masks).toEqual([["id"], ["id", "name"], ["id"]]);
});

test("the same document reads the same mask each time, and selections of one field add up", async () => {
  const { service, masks } = watched();
  const { server } = await pairOf(stack, service);
  const once = { query: "{ customer(id: 1) { id } }" };
  await graphqlPost(server, once);
  await graphqlPost(server, once);
  await graphqlPost(server, {
    query: "{ customer(id: 1) { id } customer(id: 1) { name } other: customer(id: 2) { mail } }",
  });
  expect(masks).toEqual([["id"], ["id"], ["id", "name"], ["mail"]]);
});

test("a mask goes into single messages and ends at lists", async () => {
  const shop = compileContract(`
    syntax = "proto3";
    package shop.v1;
    import "google/protobuf/field_mask.proto";
    service Shop {
      rpc GetOrder(GetOrderRequest) returns (Order) { option idempotency_level = NO_SIDE_EFFECTS; }
    }
    message GetOrderRequest { string id = 1; google.protobuf.FieldMask read_mask = 2; }
    message Order { string id = 1; Place ship_to = 2; repeated Place stops = 3; }
    message Place { string street_name = 1; string city = 2; Place behind = 3; }
  `);
  const masks: (readonly string[] | undefined)[] = [];
  const getOrder = shop.operation("shop.v1.Shop.GetOrder");
  const answer = (request: Message): Message => {
    masks.push((request as unknown as GetCustomerRequest).readMask?.paths);
    return create(getOrder.output, { shipTo: { city: "Utrecht", streetName: "Gracht" } });
  };
  const { client, server } = await pairOf(stack, serviceOf(shop, new Map([[getOrder.id, answer]])));
  const query = '{ order(id: "1") { shipTo { streetName behind { city } } stops { city } } }';
  expect((await graphqlPost(server, { query })).errors).toEqual([]);
  const readMask = { paths: ["ship_to.city", "ship_to.behind", "stops"] };
  const order = await client.prepare(getOrder)(create(getOrder.input, { readMask }));
  expect(order).toStrictEqual(create(getOrder.output, { shipTo: { city: "Utrecht" } }));
  expect(masks).toEqual([
    ["ship_to.street_name", "ship_to.behind.city", "stops"],
    ["ship_to.city", "ship_to.behind", "stops"],
  ]);
});
