// `check`: an edge of GraphQL that goes breaks callers, whatever in the contract has taken it; everything else about edges is safe.
import type { Contract } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { variantsOf } from "../../stacks/test/support/compile-contract.ts";
import { checkContracts, loadJudge } from "../src/index.ts";

const freight = `
syntax = "proto3";
package acme.freight.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/api/resource.proto";

service Freight {
  rpc GetShipment(GetShipmentRequest) returns (Shipment) { option (google.api.http) = {get: "/v1/{name=shipments/*}"}; }
  rpc GetSite(GetSiteRequest) returns (Site) { option (google.api.http) = {get: "/v1/{name=sites/*}"}; }
  rpc BatchGetSites(BatchGetSitesRequest) returns (BatchGetSitesResponse) { option (google.api.http) = {get: "/v1/sites:batchGet"}; }
}
message Shipment {
  option (google.api.resource) = {type: "acme.com/Shipment" pattern: "shipments/{shipment}"};
  string name = 1;
  string site_id = 2 [(google.api.resource_reference).type = "acme.com/Site"];
}
message Site {
  option (google.api.resource) = {type: "acme.com/Site" pattern: "sites/{site}"};
  string name = 1;
}
message GetShipmentRequest { string name = 1; }
message GetSiteRequest { string name = 1; }
message BatchGetSitesRequest { repeated string names = 1 [(buf.validate.field).repeated.max_items = 10]; }
message BatchGetSitesResponse { repeated Site sites = 1; }
`;

const compiled = variantsOf("acme");
const original = compiled(freight);

function edited(from: string, to: string): () => Contract {
  const changed = freight.replace(from, to);
  expect(changed).not.toBe(freight);
  return compiled(changed);
}

async function edgesLost(before: Contract, after: Contract): Promise<readonly string[]> {
  const judges = await Promise.all(["graphql", "rest"].map(loadJudge));
  const rows = checkContracts(before, after, judges);
  return rows.flatMap(({ kind, what, styles }) =>
    kind === "found-by-graphql"
      ? [`${what}: ${styles["graphql"]?.verdict}, ${styles["graphql"]?.reason}; in REST ${styles["rest"]?.verdict}`]
      : [],
  );
}

const reference = ' [(google.api.resource_reference).type = "acme.com/Site"]';

const breaking = [
  ["its reference goes", reference, "", "was removed: breaks, site_id refers to no resource"],
  [
    "its reference is to a parent",
    '.type = "acme.com/Site"]',
    '.child_type = "acme.com/Site"]',
    "was removed: breaks, site_id is no edge: it refers to any parent of acme.com/Site",
  ],
  [
    "its Get goes",
    '  rpc GetSite(GetSiteRequest) returns (Site) { option (google.api.http) = {get: "/v1/{name=sites/*}"}; }\n',
    "",
    "was removed: breaks, site_id is no edge: ",
  ],
  [
    "its Get requires more",
    "message GetSiteRequest { string name = 1; }",
    "message GetSiteRequest { string name = 1; string view = 2 [(google.api.field_behavior) = REQUIRED]; }",
    "was removed: breaks, site_id is no edge: ",
  ],
  [
    "a field takes its name",
    `${reference};`,
    `${reference};\n  string site = 3;`,
    "changed type from Site to String!: breaks, ",
  ],
] as const;

it.each(breaking.map(([how, from, to, lost]) => ({ how, lost, changed: edited(from, to) })))(
  "breaks where $how",
  async ({ lost, changed }) => {
    const [found = "", ...others] = await edgesLost(original(), changed());
    expect(found).toContain(`Shipment.site ${lost}`);
    expect(found).toMatch(/\S; in REST safe$/);
    expect(others).toEqual([]);
  },
);

const batchGet =
  '  rpc BatchGetSites(BatchGetSitesRequest) returns (BatchGetSitesResponse) { option (google.api.http) = {get: "/v1/sites:batchGet"}; }\n';

const safe = [
  ["an edge is added", reference, "", true],
  ["a BatchGet is added", batchGet, "", true],
  ["a BatchGet goes", batchGet, "", false],
  ["the size of a batch changes", "max_items = 10", "max_items = 5", false],
] as const;

it.each(safe.map(([how, from, to, isReversed]) => ({ how, isReversed, changed: edited(from, to) })))(
  "is safe where $how",
  async ({ isReversed, changed }) => {
    const [before, after] = isReversed ? [changed, original] : [original, changed];
    expect(await edgesLost(before(), after())).toEqual([]);
  },
);
