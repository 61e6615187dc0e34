// Recordings are files that people commit: they have no secrets.
import { create, fromJson, toJson, type Message } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { isNamedSecret } from "../../src/basics/redacted.ts";
import { memoryClient } from "@roundtrip/stacks/memory";
import type { Recording } from "../../src/recording/recording.ts";
import { recordTarget } from "../../src/recording/record-target.ts";
import { replaying } from "../../src/recording/replay.ts";
import { parseStubs, writeStubs } from "../../src/stubs/read-stubs.ts";

const contract = compileContract(`syntax = "proto3";
package acme.v1;
import "google/protobuf/any.proto";
service Door { rpc SignIn(SignInRequest) returns (Session); }
message SignInRequest { string user = 1; string password = 2; google.protobuf.Any proof = 3; Device device = 4; }
message Device { string name = 1; string push_token = 2; string page_token = 3; int32 max_token = 4; bytes api_key = 5; }
message Session { string user = 1; string access_token = 2; string next_page_token = 3; int32 session_id = 4; bool has_password = 5; }
`);

describe("a recording of fields with names of secrets", () => {
  const signIn = contract.operation("acme.v1.Door.SignIn");
  const { registry } = contract;
  const request = (secret: string, name = "phone"): Message =>
    fromJson(
      signIn.input,
      {
        user: "ada",
        password: secret,
        proof: {
          "@type": "type.googleapis.com/acme.v1.Device",
          name: "key",
          apiKey: Buffer.from(secret).toString("base64"),
        },
        device: { name, pushToken: secret, pageToken: "page-2", maxToken: 7 },
      },
      { registry },
    );
  const answer = { user: "ada", accessToken: "hush", nextPageToken: "page-3", sessionId: 4711, hasPassword: true };

  async function recorded(): Promise<Recording> {
    const service = serviceOf(
      contract,
      new Map([
        [
          signIn.id,
          ({ user }: Message & { readonly user?: string }) => {
            if (user === "ada") return fromJson(signIn.output, answer);
            throw new CallError("INVALID_ARGUMENT", "no", {
              violations: [{ field: "password", description: "hush is too short", reason: "length" }],
            });
          },
        ],
      ]),
    );
    const target = recordTarget(memoryClient(() => service));
    const client = memoryClient(() => target);
    await client.prepare(signIn)(request("hush"));
    await expect(client.prepare(signIn)(create(signIn.input))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    return target.recording;
  }

  it("has no values of them, in requests, answers and errors", async () => {
    const text = writeStubs((await recorded()).stubs);
    expect(text).not.toMatch(/hush|4711/);
    for (const kept of ["ada", "phone", "page-2", "page-3", "maxToken: 7", "hasPassword: true"]) {
      expect(text).toContain(kept);
    }
  });

  it("answers a request with other secrets, and no other request", async () => {
    const stubs = parseStubs(writeStubs((await recorded()).stubs), "recording.yaml", contract);
    const client = memoryClient(() => replaying(contract, stubs)(serviceOf(contract, new Map())));
    const replay = await client.prepare(signIn)(request("other"));
    expect(toJson(signIn.output, replay)).toEqual({
      user: "ada",
      accessToken: "[redacted]",
      nextPageToken: "page-3",
      hasPassword: true,
    });
    await expect(client.prepare(signIn)(request("other", "tablet"))).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
    });
  });
});

it("knows secrets by their names in any spelling, wrapped or not, and leaves alone what is only said of them", () => {
  const { registry } = compileContract(`syntax = "proto3";
    package acme.v1;
    import "google/protobuf/wrappers.proto";
    message Names {
      google.protobuf.StringValue password = 1; string userAPIToken = 2; string CSRFToken = 3; string access_key = 4;
      repeated string jwts = 5; string secret_id = 6; string secret_version = 7; int32 max_password_length = 8;
      google.protobuf.BoolValue secret = 9; google.protobuf.StringValue page_token = 10;
    }`);
  const secrets = registry.getMessage("acme.v1.Names")?.fields.filter(isNamedSecret);
  expect(secrets?.map(({ name }) => name)).toEqual(["password", "userAPIToken", "CSRFToken", "access_key", "jwts"]);
});
