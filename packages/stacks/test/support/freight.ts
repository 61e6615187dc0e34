// A contract of shipments with references, lists and batches, a service of it that notes its calls, and documents over its edges.
import { create, type Message } from "@bufbuild/protobuf";
import type { CallContext, Handler, Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { compileContract } from "./compile-contract.ts";

const freight = compileContract(`
syntax = "proto3";
package acme.freight.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/api/resource.proto";
import "google/protobuf/field_mask.proto";

service Freight {
  rpc GetShipment(GetShipmentRequest) returns (Shipment) { option (google.api.http) = {get: "/v1/{name=shipments/*}"}; }
  rpc GetSite(GetSiteRequest) returns (Site) { option (google.api.http) = {get: "/v1/{name=shippers/*/sites/*}"}; }
  rpc BatchGetSites(BatchGetSitesRequest) returns (BatchGetSitesResponse) { option (google.api.http) = {get: "/v1/{parent=shippers/*}/sites:batchGet"}; }
  rpc GetShipper(GetShipperRequest) returns (Shipper) { option (google.api.http) = {get: "/v1/{name=shippers/*}"}; }
  rpc ListSites(ListSitesRequest) returns (ListSitesResponse) { option (google.api.http) = {get: "/v1/{parent=shippers/*}/sites"}; }
  rpc CloseSite(GetSiteRequest) returns (Site) { option (google.api.http) = {post: "/v1/{name=shippers/*/sites/*}:close" body: "*"}; }
}
message Shipment {
  option (google.api.resource) = {type: "acme.com/Shipment" pattern: "shipments/{shipment}"};
  string name = 1;
  repeated string stops = 2 [(google.api.resource_reference).type = "acme.com/Site"];
  string shipper_id = 3 [(google.api.resource_reference).type = "acme.com/Shipper"];
  string note = 4;
  oneof from { string origin_site_name = 5 [(google.api.resource_reference).type = "acme.com/Site"]; string address = 6; }
}
message Site {
  option (google.api.resource) = {type: "acme.com/Site" pattern: "shippers/{shipper}/sites/{site}"};
  string name = 1;
  string title = 2;
  string shipper = 3 [(google.api.resource_reference).type = "acme.com/Shipper"];
}
message Shipper {
  option (google.api.resource) = {type: "acme.com/Shipper" pattern: "shippers/{shipper}"};
  string name = 1;
  string title = 2;
  string phone = 3;
}
message GetShipmentRequest { string name = 1; google.protobuf.FieldMask read_mask = 2; }
message GetSiteRequest { string name = 1 [(google.api.field_behavior) = REQUIRED]; }
message BatchGetSitesRequest {
  string parent = 1 [(google.api.field_behavior) = REQUIRED];
  repeated string names = 2 [(buf.validate.field).repeated.max_items = 3];
}
message BatchGetSitesResponse { repeated Site sites = 1; }
message GetShipperRequest { string name = 1; google.protobuf.FieldMask read_mask = 2; }
message ListSitesRequest { string parent = 1 [(google.api.resource_reference).child_type = "acme.com/Site"]; int32 page_size = 2; google.protobuf.FieldMask read_mask = 3; }
message ListSitesResponse { repeated Site sites = 1; string next_page_token = 2; }
`);

type Fields = Record<string, unknown>;

/** The fields of all requests. */
export interface Asked {
  readonly name: string;
  readonly parent: string;
  readonly names: readonly string[];
  readonly readMask: { readonly paths: readonly string[] };
}

export type Answers = Readonly<Record<string, (request: Asked, context: CallContext) => Fields | Promise<Fields>>>;

export interface Seen {
  readonly service: Service;
  /** The calls in their order, such as `GetSite shippers/1/sites/2`. */
  readonly calls: string[];
}

export function site(name: string): Fields {
  return { name, title: `title of ${name}`, shipper: name.split("/").slice(0, 2).join("/") };
}

const answers: Answers = {
  GetSite: ({ name }) => site(name),
  BatchGetSites: ({ names }) => ({ sites: names.map(site) }),
  GetShipper: ({ name }) => ({ name, title: `title of ${name}` }),
  ListSites: ({ parent }) => ({ sites: [site(`${parent}/sites/1`), site(`${parent}/sites/2`)] }),
};

/** A service with a shipment that has these fields, and with these answers in place of those above. */
export function serving(fields: Fields, own: Answers = {}): Seen {
  const calls: string[] = [];
  const all: Answers = { GetShipment: ({ name }) => ({ name, ...fields }), ...answers, ...own };
  const handlers = freight.operations.flatMap(({ id, method, output }) => {
    const answer = all[method.name];
    const handler: Handler = async (message: Message, context) => {
      const { name, parent, names, readMask } = message as unknown as Partial<Asked>;
      const mask = readMask === undefined ? "" : ` reading ${readMask.paths.join(",")}`;
      const keys = names === undefined ? "" : ` ${names.join(",")}`;
      calls.push(`${method.name} ${name ?? parent ?? ""}${keys}${mask}`);
      return create(output, await answer?.(message as unknown as Asked, context));
    };
    return answer === undefined ? [] : [[id, handler] as const];
  });
  return { service: serviceOf(freight, new Map(handlers)), calls };
}

export function shipment(selection: string): string {
  return `{ shipment(name: "shipments/1") { ${selection} } }`;
}

export const sites = (...numbers: readonly number[]) => numbers.map((number) => `shippers/1/sites/${number}`);
