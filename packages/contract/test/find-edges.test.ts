// Which references and Lists of a contract are edges, by which methods, and why others are none.
import { describe, expect, it } from "vitest";
import { variantsOf } from "../../stacks/test/support/compile-contract.ts";
import { builtInContract, type Contract } from "../src/index.ts";
import { type BatchLookup, findEdges, keyTest } from "../src/resources/index.ts";

const head = `
syntax = "proto3";
package acme.freight.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/api/resource.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/wrappers.proto";

service FreightService {
  rpc GetSite(GetSiteRequest) returns (Site) { option (google.api.http) = {get: "/v1/{name=shippers/*/sites/*}"}; }
  rpc GetShipment(GetShipmentRequest) returns (Shipment) { option (google.api.http) = {get: "/v1/{name=shipments/*}"}; }
`;

const compiled = variantsOf("acme");

/** A contract with a Shipment that has these fields, and these further methods and messages. */
function freight(fields: string, { methods = "", messages = "", getSite = "" } = {}): () => Contract {
  return compiled(`${head}${methods}}
message Site {
  option (google.api.resource) = {type: "acme.com/Site" pattern: "shippers/{shipper}/sites/{site}"};
  string name = 1;
}
message GetSiteRequest { string name = 1 [(google.api.field_behavior) = REQUIRED]; google.protobuf.FieldMask read_mask = 2; ${getSite} }
message Shipment {
  option (google.api.resource) = {type: "acme.com/Shipment" pattern: "shipments/{shipment}"};
  string name = 1 [(google.api.resource_reference).type = "acme.com/Shipment"];
  ${fields}
}
message GetShipmentRequest { string name = 1 [(google.api.resource_reference).type = "acme.com/Shipment"]; }
${messages}`);
}

function batchText({ operation, keys, parent, maxKeys }: BatchLookup): string {
  const common = parent === undefined ? "" : `, ${parent.name}`;
  return `${operation.method.name}(${keys.name}${common}) of ${maxKeys}`;
}

/** All edges as text, and the references that are none. */
function edgesIn(contract: Contract): readonly string[] {
  const { references, lists, plain } = findEdges(contract);
  return [
    ...references.map(({ field, get, batchGet }) => {
      const batch = batchGet === undefined ? "" : ` or ${batchText(batchGet)}`;
      return `${field.parent.name}.${field.name}: ${get.operation.method.name}(${get.key.name})${batch}`;
    }),
    ...lists.map(
      ({ ownKey, list: { operation, key } }) =>
        `${ownKey.parent.name}.${ownKey.name}: ${operation.method.name}(${key.name})`,
    ),
    ...plain.map(({ field, reason }) => `${field.parent.name}.${field.name}: ${reason}`),
  ];
}

const origin = `string origin_site = 2 [(google.api.resource_reference).type = "acme.com/Site"];`;

it("finds the edges of the built-in contract", () => {
  expect(edgesIn(builtInContract())).toEqual([
    "Invoice.customer_id: GetCustomer(id)",
    "InvoiceLine.product_id: GetProduct(id) or BatchGetProducts(ids) of 100",
    "Customer.id: ListInvoices(customer_id)",
  ]);
});

function reference(type: string): string {
  return `(google.api.resource_reference).type = "${type}"`;
}

describe("a reference", () => {
  const rows = [
    ["is an edge by its type's Get", origin, "origin_site: GetSite(name)"],
    ["may be a list", origin.replace("string", "repeated string"), "origin_site: GetSite(name)"],
    ["may be a member of a oneof", `oneof from { ${origin} }`, "origin_site: GetSite(name)"],
    ["may be to its own type", `string parent = 2 [${reference("acme.com/Shipment")}];`, "parent: GetShipment(name)"],
    ["to any type is none", `string about = 2 [${reference("*")}];`, "about: it refers to resources of any type"],
    [
      "to a parent of a type is none",
      `string under = 2 [(google.api.resource_reference).child_type = "acme.com/Site"];`,
      "under: it refers to any parent of acme.com/Site",
    ],
    [
      "to a type without a Get is none",
      `string key = 2 [${reference("kms.com/Key")}];`,
      "key: no method without side effects gets kms.com/Key",
    ],
    [
      "of another type than the Get's key is none",
      `int32 site_id = 2 [${reference("acme.com/Site")}];`,
      "site_id: the key of acme.freight.v1.FreightService.GetSite has another type",
    ],
    [
      "in a map is none",
      `map<string, string> sites = 2 [${reference("acme.com/Site")}];`,
      "sites: its value is no key",
    ],
    [
      "in a message is none",
      `google.protobuf.StringValue site = 3 [${reference("acme.com/Site")}];`,
      "site: its value is no key",
    ],
    [
      "is none if the Get requires more than the key",
      origin,
      "origin_site: acme.freight.v1.FreightService.GetSite requires view too",
      { getSite: "string view = 3 [(google.api.field_behavior) = REQUIRED];" },
    ],
    [
      "is none if several services get its type",
      origin,
      "origin_site: acme.freight.v1.FreightService.GetSite and acme.freight.v1.OtherService.GetSite get acme.com/Site",
      {
        messages:
          'service OtherService { rpc GetSite(GetSiteRequest) returns (Site) { option (google.api.http) = {get: "/v2/{name=shippers/*/sites/*}"}; } }',
      },
    ],
  ] as const;

  it.each(rows.map(([name, fields, expected, more]) => ({ name, expected, contract: freight(fields, more) })))(
    "$name",
    ({ contract, expected }) => {
      expect(edgesIn(contract())).toEqual([`Shipment.${expected}`]);
    },
  );
});

const batchMessages = `
message BatchGetSitesResponse { repeated Site sites = 1; }
message BatchGetSitesRequest {`;

describe("a BatchGet", () => {
  const methods = `rpc BatchGetSites(BatchGetSitesRequest) returns (BatchGetSitesResponse) { option (google.api.http) = {get: "/v1/{parent=shippers/*}/sites:batchGet"}; }`;
  const parent = "string parent = 1";
  const names = "repeated string names = 2";

  const rows = [
    ["is taken by the name of its keys", `${parent}; ${names};`, "BatchGetSites(names) of 20"],
    [
      "is taken by their type",
      `${parent}; repeated string sites = 2 [${reference("acme.com/Site")}];`,
      "BatchGetSites(sites) of 20",
    ],
    [
      "may require a parent, and have a limit",
      `${parent} [(google.api.field_behavior) = REQUIRED]; ${names} [(buf.validate.field).repeated.max_items = 7];`,
      "BatchGetSites(names, parent) of 7",
    ],
    ["is not taken with keys of another type", `${names} [${reference("acme.com/Shipment")}];`, undefined],
    ["is not taken with two lists of keys", `${names}; repeated string site_names = 3;`, undefined],
    [
      "is not taken if it requires more",
      `${names}; string view = 3 [(google.api.field_behavior) = REQUIRED];`,
      undefined,
    ],
  ] as const;

  it.each(
    rows.map(([name, fields, expected]) => ({
      name,
      expected,
      contract: freight(origin, { methods, messages: `${batchMessages}${fields}}` }),
    })),
  )("$name", ({ contract, expected }) => {
    const [edge] = findEdges(contract()).references;
    expect(edge?.batchGet && batchText(edge.batchGet)).toBe(expected);
  });

  const messages = `message SiteState { string name = 1; }
message BatchGetSitesResponse { repeated SiteState sites = 1; } message BatchGetSitesRequest { ${names}; }`;
  const others = freight(origin, { methods, messages });

  it("is not taken if it answers with something else", () => {
    expect(edgesIn(others())).toEqual(["Shipment.origin_site: GetSite(name)"]);
  });
});

interface ListingOptions {
  readonly item?: string;
  readonly shipper?: string;
  readonly getShipper?: string;
}

function listing(fields: string, { item = "Site", shipper = "", getShipper = "GetShipper" }: ListingOptions = {}) {
  // A path may name a field that the request has only.
  const path = fields.includes("parent") ? "parent" : "shipper";
  return {
    methods: `rpc ListSites(ListSitesRequest) returns (ListSitesResponse) { option (google.api.http) = {get: "/v1/{${path}=shippers/*}/sites"}; }
rpc ${getShipper}(GetShipperRequest) returns (Shipper) { option (google.api.http) = {get: "/v1/{name=shippers/*}"}; }`,
    messages: `message Shipper {
  option (google.api.resource) = {type: "acme.com/Shipper" pattern: "shippers/{shipper}"};
  string name = 1;
  ${shipper}
}
message SiteError { string text = 1; }
message GetShipperRequest { string name = 1; }
message ListSitesRequest { ${fields} int32 page_size = 8; string page_token = 9; }
message ListSitesResponse { repeated ${item} sites = 1; string next_page_token = 2; }`,
  };
}

describe("a List", () => {
  const parent = `string parent = 1 [${reference("acme.com/Shipper")}];`;
  const shipper = `string shipper = 1 [${reference("acme.com/Shipper")}, (google.api.field_behavior) = REQUIRED];`;
  const rows = [
    ["is an edge of the type that its parent has", parent, "name: ListSites(parent)"],
    [
      "is an edge of the type whose names its child_type has in front",
      `string parent = 1 [(google.api.resource_reference).child_type = "acme.com/Site"];`,
      "name: ListSites(parent)",
    ],
    ["may call its parent otherwise", shipper, "name: ListSites(shipper)"],
    ["of what is no resource is no edge", parent, undefined, { item: "SiteError" }],
    [
      "is an edge of a resource that calls its name resource_name",
      shipper,
      "resource_name: ListSites(shipper)",
      { shipper: `string resource_name = 2 [${reference("acme.com/Shipper")}];`, getShipper: "WatchShipper" },
    ],
    [
      "is no edge of what only filters it",
      `string parent = 1; string near_shipper = 2 [${reference("acme.com/Shipper")}];`,
      undefined,
    ],
  ] as const;

  it.each(
    rows.map(([name, fields, expected, options]) => ({
      name,
      expected,
      contract: freight("", listing(fields, options)),
    })),
  )("$name", ({ contract, expected }) => {
    expect(edgesIn(contract())).toEqual(expected === undefined ? [] : [`Shipper.${expected}`]);
  });
});

const shipped = freight(origin);

it.each([
  ["shippers/1/sites/2", true],
  ["", false],
  ["_deleted_", false],
  ["shippers/1/sites/2/more/3", false],
])("tests whether a Get takes the key %j", (key, isTaken) => {
  const [edge] = findEdges(shipped()).references;
  expect(edge && keyTest(edge.get)(key)).toBe(isTaken);
});

it("tests numbers for zero only", () => {
  const [edge] = findEdges(builtInContract()).references;
  expect(["0", "7"].map((key) => edge && keyTest(edge.get)(key))).toEqual([false, true]);
});
