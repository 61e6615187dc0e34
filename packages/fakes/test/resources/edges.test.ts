// Every edge of a contract leads to something that its fake has.
import { builtInContract } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { followedEdges } from "../support/followed-edges.ts";

/**
 * References whose names do not say to what they refer, in lists, messages and oneofs, with rules, and to what is only got; names of several forms; a
 * resource called a result; one that is only listed.
 */
const rental = compileContract(`
syntax = "proto3";
package acme.rental.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/resource.proto";

service RentalService {
  rpc GetFlat(GetFlatRequest) returns (Flat) { option (google.api.http) = {get: "/v1/{name=owners/*/flats/*}"}; }
  rpc ListFlats(ListFlatsRequest) returns (ListFlatsResponse) { option (google.api.http) = {get: "/v1/{parent=owners/*}/flats"}; }
  rpc GetOwner(GetOwnerRequest) returns (Owner) { option (google.api.http) = {get: "/v1/{name=owners/*}"}; }
  rpc GetStay(GetStayRequest) returns (Stay) { option (google.api.http) = {get: "/v1/stays/{id}"}; }
  rpc ListStays(ListStaysRequest) returns (ListStaysResponse) { option (google.api.http) = {get: "/v1/stays"}; }
  rpc GetNote(GetNoteRequest) returns (Note) {
    option (google.api.http) = {get: "/v1/{name=owners/*/flats/*/notes/*}" additional_bindings {get: "/v1/{name=owners/*/notes/*}"}};
  }
  rpc ListNotes(ListNotesRequest) returns (ListNotesResponse) {
    option (google.api.http) = {get: "/v1/{parent=owners/*/flats/*}/notes" additional_bindings {get: "/v1/{parent=owners/*}/notes"}};
  }
  rpc GetTestResult(GetTestResultRequest) returns (TestResult) { option (google.api.http) = {get: "/v1/{name=owners/*/results/*}"}; }
  rpc ListTestResults(ListTestResultsRequest) returns (ListTestResultsResponse) { option (google.api.http) = {get: "/v1/{parent=owners/*}/results"}; }
  rpc ListKeys(ListKeysRequest) returns (ListKeysResponse) { option (google.api.http) = {get: "/v1/keys"}; }
  rpc ListTags(ListTagsRequest) returns (ListTagsResponse) { option (google.api.http) = {get: "/v1/{parent=keys/*}/tags"}; }
}
message Note {
  option (google.api.resource) = {
    type: "rental.acme.dev/Note"
    pattern: "owners/{owner}/flats/{flat}/notes/{note}"
    pattern: "owners/{owner}/notes/{note}"
  };
  string name = 1;
}
message TestResult {
  option (google.api.resource) = {type: "rental.acme.dev/TestResult" pattern: "owners/{owner}/results/{result}"};
  string name = 1;
  string before = 2 [(google.api.resource_reference).type = "rental.acme.dev/TestResult"];
  Note remark = 3;
}
message Key {
  option (google.api.resource) = {type: "rental.acme.dev/Key" pattern: "keys/{key}"};
  string name = 1;
}
message Tag {
  option (google.api.resource) = {type: "rental.acme.dev/Tag" pattern: "keys/{key}/tags/{tag}"};
  string name = 1;
}
message GetNoteRequest { string name = 1; }
message ListNotesRequest { string parent = 1 [(google.api.resource_reference).child_type = "rental.acme.dev/Note"]; }
message ListNotesResponse { repeated Note notes = 1; string next_page_token = 2; }
message GetTestResultRequest { string name = 1; }
message ListTestResultsRequest { string parent = 1 [(google.api.resource_reference).child_type = "rental.acme.dev/TestResult"]; }
message ListTestResultsResponse { repeated TestResult results = 1; string next_page_token = 2; }
message ListKeysRequest { int32 page_size = 1; }
message ListKeysResponse { repeated Key keys = 1; string next_page_token = 2; }
message ListTagsRequest { string parent = 1 [(google.api.resource_reference).child_type = "rental.acme.dev/Tag"]; }
message ListTagsResponse { repeated Tag tags = 1; string next_page_token = 2; }
message Owner {
  option (google.api.resource) = {type: "rental.acme.dev/Owner" pattern: "owners/{owner}"};
  string name = 1;
}
message Flat {
  option (google.api.resource) = {type: "rental.acme.dev/Flat" pattern: "owners/{owner}/flats/{flat}"};
  string name = 1;
  string landlord = 2 [(google.api.resource_reference).type = "rental.acme.dev/Owner"];
  string next_door = 3 [(google.api.resource_reference).type = "rental.acme.dev/Flat", (buf.validate.field).string.min_len = 1];
}
message Stay {
  option (google.api.resource) = {type: "rental.acme.dev/Stay" pattern: "stays/{stay}"};
  int64 id = 1;
  repeated string where = 2 [(google.api.resource_reference).type = "rental.acme.dev/Flat"];
  repeated Night nights = 3;
  oneof billed { string to_owner = 4 [(google.api.resource_reference).type = "rental.acme.dev/Owner"]; string to_card = 5; }
  // Its name is that of another resource.
  string flat = 6 [(google.api.resource_reference).type = "rental.acme.dev/Owner"];
}
message Night { string key_with = 1 [(google.api.resource_reference).type = "rental.acme.dev/Owner"]; int64 instead_of = 2 [(google.api.resource_reference).type = "rental.acme.dev/Stay"]; }
message GetFlatRequest { string name = 1; }
message ListFlatsRequest { string parent = 1 [(google.api.resource_reference).child_type = "rental.acme.dev/Flat"]; }
message ListFlatsResponse { repeated Flat flats = 1; string next_page_token = 2; }
message GetOwnerRequest { string name = 1; }
message GetStayRequest { int64 id = 1; }
message ListStaysRequest { int32 page_size = 1; string page_token = 2; }
message ListStaysResponse { repeated Stay stays = 1; string next_page_token = 2; }
`);

it.each([
  ["the built-in contract", builtInContract(), 50],
  ["flats", rental, 300],
] as const)("leads to what the fake has: %s", async (_name, contract, least) => {
  const { found, lost, unseen } = await followedEdges(contract);
  expect([lost, unseen]).toEqual([[], []]);
  expect(found).toBeGreaterThan(least);
});
