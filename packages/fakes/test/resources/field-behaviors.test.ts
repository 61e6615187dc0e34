// google.api.field_behavior (AIP-203) in a fake: what callers cannot set is ignored, what cannot change is kept, and what goes in does not come out.
import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { exampleRequests } from "../../src/parts.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { callsTo } from "../support/calls-to.ts";
import { failing } from "./library.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.v1;
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/api/resource.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
service Users {
  rpc GetUser(GetUserRequest) returns (User) { option (google.api.http) = {get: "/v1/{name=users/*}"}; }
  rpc ListUsers(ListUsersRequest) returns (ListUsersResponse) { option (google.api.http) = {get: "/v1/users"}; }
  rpc CreateUser(CreateUserRequest) returns (User) { option (google.api.http) = {post: "/v1/users" body: "user"}; }
  rpc UpdateUser(UpdateUserRequest) returns (User) { option (google.api.http) = {patch: "/v1/{user.name=users/*}" body: "user"}; }
  rpc SearchUsers(SearchUsersRequest) returns (ListUsersResponse) { option (google.api.http) = {get: "/v1/users:search"}; }
  rpc Describe(Profile) returns (Profile);
}
message User {
  option (google.api.resource) = {type: "acme.dev/User" pattern: "users/{user}"};
  string name = 1 [(google.api.field_behavior) = OUTPUT_ONLY];
  string title = 2 [(google.api.field_behavior) = REQUIRED];
  string password = 3 [(google.api.field_behavior) = INPUT_ONLY];
  string region = 4 [(google.api.field_behavior) = IMMUTABLE];
  string uid = 5 [(google.api.field_behavior) = OUTPUT_ONLY];
  Profile profile = 6;
}
message Profile {
  string text = 1;
  string digest = 2 [(google.api.field_behavior) = OUTPUT_ONLY];
  string pin = 3 [(google.api.field_behavior) = INPUT_ONLY];
  string kind = 4 [(google.api.field_behavior) = IMMUTABLE];
}
message GetUserRequest { string name = 1 [(google.api.field_behavior) = REQUIRED]; }
message ListUsersRequest { int32 page_size = 1; }
message SearchUsersRequest { string query = 1; }
message ListUsersResponse { repeated User users = 1; }
message CreateUserRequest { User user = 1 [(google.api.field_behavior) = REQUIRED]; string user_id = 2; }
message UpdateUserRequest { User user = 1 [(google.api.field_behavior) = REQUIRED]; google.protobuf.FieldMask update_mask = 2 [(google.api.field_behavior) = REQUIRED]; }
`);

const user = { title: "Ada", password: "secret", region: "north", profile: { text: "hi", pin: "1234", kind: "plain" } };

describe("a field that is INPUT_ONLY", () => {
  it("is in no answer: neither of a write, nor of a read, nor made up", async () => {
    const call = callsTo(contract);
    const created = await call("CreateUser", { userId: "ada", user });
    expect(created).toMatchObject({ title: "Ada", region: "north", profile: { text: "hi", kind: "plain" } });
    const answers = [created, await call("GetUser", { name: "users/ada" }), await call("ListUsers")];
    answers.push(await call("GetUser", { name: "users/user-1" }), await call("Describe", { text: "so", pin: "1" }));
    expect(JSON.stringify(answers)).not.toMatch(/"(?:password|pin)"/);
  });
});

describe("a field that is OUTPUT_ONLY", () => {
  it("is ignored in a request, and set by the fake", async () => {
    const call = callsTo(contract);
    const sent = { ...user, name: "users/mine", uid: "mine", profile: { text: "hi", digest: "mine" } };
    const created = await call("CreateUser", { userId: "ada", user: sent });
    expect(created).toMatchObject({ name: "users/ada", profile: { text: "hi" } });
    expect([created["uid"], created["profile"]]).not.toEqual(["mine", expect.objectContaining({ digest: "mine" })]);
    expect(created["uid"]).toMatch(/./);
    expect(created["profile"]).toHaveProperty("digest");
    expect((await call("Describe", { text: "so", digest: "mine" }))["digest"]).not.toBe("mine");
  });

  it("stays as it was in an update, even if the mask names it or what holds it", async () => {
    const call = callsTo(contract);
    const { uid, profile } = await call("CreateUser", { userId: "ada", user });
    const change = { name: "users/ada", uid: "mine", profile: { text: "new", digest: "mine" } };
    const updated = await call("UpdateUser", { user: change, updateMask: "uid,profile" });
    expect(updated).toMatchObject({ uid, profile: { text: "new", digest: (profile as { digest: string }).digest } });
  });
});

describe("a field that is IMMUTABLE", () => {
  it("keeps its value, and a request for another one is INVALID_ARGUMENT", async () => {
    const call = callsTo(contract);
    await call("CreateUser", { userId: "ada", user });
    const name = "users/ada";
    const same = await call("UpdateUser", {
      user: { name, title: "Eve", region: "north" },
      updateMask: "title,region",
    });
    expect(same).toMatchObject({ title: "Eve", region: "north" });
    const moved = call("UpdateUser", { user: { name, region: "south" }, updateMask: "region" });
    const details = { violations: [expect.objectContaining({ field: "user.region", reason: "immutable" }) as object] };
    await expect(moved).rejects.toThrow(failing("INVALID_ARGUMENT", details));
    const turned = call("UpdateUser", { user: { name, profile: { kind: "other" } }, updateMask: "profile" });
    await expect(turned).rejects.toThrow(failing("INVALID_ARGUMENT"));
    expect(await call("GetUser", { name })).toMatchObject({ region: "north", profile: { kind: "plain" } });
  });
});

it("has example requests with what is required, and without what is ignored or refused", async () => {
  const example = exampleRequests(contract);
  const call = callsTo(contract);
  for (const operation of contract.operations) {
    const request = toJson(operation.input, example(operation)) as Record<string, object>;
    // oxlint-disable-next-line no-await-in-loop -- one after the other: they change the same resources
    await expect(call(operation.id, request as never)).resolves.toBeDefined();
    if (operation.method.name !== "UpdateUser") continue;
    expect(Object.keys(request["user"] ?? {})).not.toContain("uid");
    expect(Object.keys(request["user"] ?? {})).not.toContain("region");
    expect(request["updateMask"]).toBe("title");
    expect(request["user"]).toMatchObject({
      profile: expect.not.objectContaining({ kind: expect.anything() }) as object,
    });
  }
});
