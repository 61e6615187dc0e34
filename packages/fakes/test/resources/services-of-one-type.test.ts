// One type that several services keep, each with keys of its own: global and regional resources, as in Compute Engine.
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { callsTo } from "../support/calls-to.ts";
import { failing, list } from "./library.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.v1;
import "google/api/annotations.proto";
import "google/api/resource.proto";
service RegionPolicies {
  rpc Get(GetRegionPolicyRequest) returns (Policy) { option (google.api.http) = {get: "/v1/projects/{project}/regions/{region}/policies/{policy}"}; }
  rpc List(ListRegionPoliciesRequest) returns (PolicyList) { option (google.api.http) = {get: "/v1/projects/{project}/regions/{region}/policies"}; }
  rpc Insert(InsertRegionPolicyRequest) returns (Operation) { option (google.api.http) = {post: "/v1/projects/{project}/regions/{region}/policies" body: "policy_resource"}; }
  rpc Delete(GetRegionPolicyRequest) returns (Operation) { option (google.api.http) = {delete: "/v1/projects/{project}/regions/{region}/policies/{policy}"}; }
}
service Policies {
  rpc Get(GetPolicyRequest) returns (Policy) { option (google.api.http) = {get: "/v1/projects/{project}/global/policies/{policy}"}; }
  rpc List(ListPoliciesRequest) returns (PolicyList) { option (google.api.http) = {get: "/v1/projects/{project}/global/policies"}; }
}
service Regions {
  rpc Get(GetRegionRequest) returns (Region) { option (google.api.http) = {get: "/v1/projects/{project}/regions/{region}"}; }
  rpc List(ListPoliciesRequest) returns (RegionList) { option (google.api.http) = {get: "/v1/projects/{project}/regions"}; }
}
service Teams {
  rpc GetNote(GetNoteRequest) returns (Note) { option (google.api.http) = {get: "/v1/{name=teams/*/notes/*}"}; }
  rpc ListNotes(ListNotesRequest) returns (NoteList) { option (google.api.http) = {get: "/v1/{parent=teams/*}/notes"}; }
}
service People {
  rpc GetNote(GetNoteRequest) returns (Note) { option (google.api.http) = {get: "/v1/{name=people/*/notes/*}"}; }
  rpc ListNotes(ListNotesRequest) returns (NoteList) { option (google.api.http) = {get: "/v1/{parent=people/*}/notes"}; }
}
service Rules {
  rpc Get(GetRuleRequest) returns (Rule) { option (google.api.http) = {get: "/v1/projects/{project}/regions/{region}/rules/{rule}"}; }
  rpc List(ListPoliciesRequest) returns (RuleList) { option (google.api.http) = {get: "/v1/projects/{project}/rules"}; }
}
message Policy { string name = 1; string description = 2; }
message Region { string name = 1; }
message Rule { string name = 1; }
message Note {
  option (google.api.resource) = {type: "acme.dev/Note" pattern: "teams/{team}/notes/{note}" pattern: "people/{person}/notes/{note}"};
  string name = 1;
}
message GetNoteRequest { string name = 1; }
message ListNotesRequest { string parent = 1; }
message NoteList { repeated Note notes = 1; }
message Operation { string name = 1; string description = 2; string target = 3; }
message GetRegionPolicyRequest { string project = 1; string region = 2; string policy = 3; }
message ListRegionPoliciesRequest { string project = 1; string region = 2; }
message InsertRegionPolicyRequest { string project = 1; string region = 2; Policy policy_resource = 3; }
message GetPolicyRequest { string project = 1; string policy = 2; }
message ListPoliciesRequest { string project = 1; }
message GetRegionRequest { string project = 1; string region = 2; }
message GetRuleRequest { string project = 1; string region = 2; string rule = 3; }
message PolicyList { repeated Policy items = 1; }
message RegionList { repeated Region items = 1; }
message RuleList { repeated Rule items = 1; }
`);

describe("a type of several services", () => {
  it("has other resources in each, which are listed below their own parents", async () => {
    const call = callsTo(contract);
    const regional = { project: "p", region: "region-1" };
    await call("RegionPolicies.Insert", { ...regional, policyResource: { name: "mine", description: "Mine" } });
    const policy = { ...regional, policy: "mine" };
    expect(await call("RegionPolicies.Get", policy)).toEqual({ name: "mine", description: "Mine" });
    expect(list((await call("RegionPolicies.List", regional))["items"])).toHaveLength(31);
    expect(list((await call("Policies.List", { project: "p" }))["items"])).toHaveLength(30);
    const elsewhere = call("Policies.Get", { project: "p", policy: "mine" });
    await expect(elsewhere).rejects.toThrow(failing("NOT_FOUND"));
    await call("RegionPolicies.Delete", policy);
    await expect(call("RegionPolicies.Get", policy)).rejects.toThrow(failing("NOT_FOUND"));
  });

  it("has in each the names that the service's paths take, if it is annotated with several patterns", async () => {
    const call = callsTo(contract);
    for (const [service, parent] of [
      ["Teams", "teams/team-1"],
      ["People", "people/ada"],
    ]) {
      // oxlint-disable-next-line no-await-in-loop
      const notes = list((await call(`${service}.ListNotes`, { parent: parent ?? "" }))["notes"]);
      const name = `${parent}/notes/note-1`;
      expect(notes).toContainEqual({ name });
      // oxlint-disable-next-line no-await-in-loop
      expect(await call(`${service}.GetNote`, { name })).toEqual({ name });
    }
  });

  it("has operations with names of their own", async () => {
    const call = callsTo(contract);
    const request = { project: "p", region: "region-1", policyResource: { name: "mine", description: "Mine" } };
    const { name, target } = await call("RegionPolicies.Insert", request);
    expect(name).not.toBe("mine");
    expect(target).toMatch(/./);
  });
});

it("lists resources below parents that have parents, although the request names none of them", async () => {
  const { items } = await callsTo(contract)("Rules.List", { project: "p" });
  expect(list(items).length).toBeGreaterThan(1);
});
