// `describe`: what somebody else's contract becomes, in words and documents that are true of it too.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const shop = `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Shop {
  // Puts a price on a thing.
  rpc Price(PriceRequest) returns (Thing) {
    option (google.api.http) = { patch: "/v1/things/{thing.id}" body: "thing" };
  }
  rpc Fill(stream PriceRequest) returns (Thing);
  rpc Haggle(stream PriceRequest) returns (stream Thing);
}
message Thing {
  string id = 1;
}
message PriceRequest {
  Thing thing = 1;
  int32 price = 2;
}
`;

const cwd = folderWith({ "shop/shop.proto": shop });

it("the documents of a user's contract have neutral names, and say where they come from without speaking of another's folders", async () => {
  const { status, stdout } = await run(["describe", "--contract", "shop", "--out", "documents"], { cwd });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "documents/schema.graphql\ndocuments/openapi.yaml\n" });
  expect(readdirSync(join(cwd, "documents")).toSorted()).toEqual(["openapi.yaml", "schema.graphql"]);
  for (const name of ["openapi.yaml", "schema.graphql"]) {
    const text = readFileSync(join(cwd, "documents", name), "utf8");
    expect(text).toMatch(/^# Made by Roundtrip from the contract's \.proto files: change those, not this one\.\n/);
    expect(text).not.toMatch(/proto\/|pnpm|roundtrip\./);
  }
});

it("prints the first paragraph of a comment, with links as words", async () => {
  const comment = [
    "  // Creates a [Thing][shop.v1.Thing] as [the guide](https://shop.example/guide) says, in the place that",
    "  // was given.",
    "  //",
    "  //   * first, with words that",
    "  //     go on",
  ].join("\n");
  const text = shop.replace("  // Puts a price on a thing.", comment);
  const folder = folderWith({ "shop.proto": text });
  const { stdout } = await run(["describe", "Price", "--contract", "shop.proto"], { cwd: folder });
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    "shop.v1.Shop.Price  Creates a Thing as the guide (https://shop.example/guide) says, in the place that was given.",
    "  GraphQL  mutation price(input: PriceInput!): Thing!",
    "  gRPC     rpc Price(PriceRequest) returns (Thing)",
  ]);
});

it("says why a style has no notation for an operation", async () => {
  const { stdout } = await run(["describe", "--contract", "shop", "--stack", "graphql-apollo"], { cwd });
  expect(stdout).toMatch(/^ {2}GraphQL {2}– not carried, streams of requests: a GraphQL request is one document/m);
  expect(stdout).toMatch(/^ {2}GraphQL {2}– not carried, streams both ways: a GraphQL request is one document/m);
  expect(stdout).not.toMatch(/^ {2}GraphQL *$/m);
});

describe("what several operations share", () => {
  const twice = `syntax = "proto3";
package shop.v1;
service Shop {
  rpc Ask(Thing) returns (Thing);
  rpc Find(Thing) returns (Thing);
  rpc Wait(Other) returns (Other);
}
enum Colour {
  RED = 0;
}
message Thing {
  Colour colour = 1;
}
message Other {
  Colour other_colour = 1;
}
`;
  const folder = folderWith({ "shop/shop.proto": twice });

  it("and cannot carry is printed once, with how many there are; what one loses stands below that one", async () => {
    const { stdout } = await run(["describe", "--contract", "shop", "--stack", "graphql-apollo"], { cwd: folder });
    const [operations = "", rest = ""] = stdout.split("Not carried, in several operations\n");
    expect(rest.split("\n\n")[0]).toBe("  GraphQL  Thing.colour: numbers that Colour does not name (2 operations)");
    expect(operations).not.toContain("Thing.colour");
    expect(operations.match(/cannot carry: 1 shared with other operations, listed below/g)).toHaveLength(2);
    expect(operations).toContain("cannot carry: Other.other_colour: numbers that Colour does not name\n");
  });
});

describe("edges", () => {
  const linked = `syntax = "proto3";
package linked.v1;
import "google/api/annotations.proto";
import "google/api/resource.proto";
service Sites {
  rpc GetSite(GetSiteRequest) returns (Site) { option (google.api.http) = { get: "/v1/{name=sites/*}" }; }
  rpc ListSites(ListSitesRequest) returns (ListSitesResponse) { option (google.api.http) = { get: "/v1/{parent=sites/*}/sites" }; }
  rpc GetKey(GetSiteRequest) returns (Key) { option (google.api.http) = { get: "/v1/{name=keys/*}" }; }
}
message Site {
  option (google.api.resource) = { type: "linked.example/Site" pattern: "sites/{site}" };
  string name = 1;
  string next_site = 2 [(google.api.resource_reference).type = "linked.example/Site"];
  string anything = 3 [(google.api.resource_reference).type = "*"];
}
message Key { string name = 1; }
message GetSiteRequest { string name = 1; }
message ListSitesRequest { string parent = 1 [(google.api.resource_reference).type = "linked.example/Site"]; }
message ListSitesResponse { repeated Site sites = 1; }
`;
  const folder = folderWith({ "linked.proto": linked });
  const described = (...args: readonly string[]) =>
    run(["describe", "--contract", "linked.proto", ...args], { cwd: folder });

  it("are listed with their calls, and references without one with the reason", async () => {
    const { stdout } = await described();
    const [, section = ""] = stdout.split("References and Lists as edges of GraphQL\n");
    expect(section.split("\n\n")[0]?.split("\n")).toEqual([
      "  Site.nextSiteResource  GetSite by next_site",
      "  Site.sites             ListSites by name",
      "  Site.anything          no edge: it refers to resources of any type",
    ]);
  });

  it("are data in JSON", async () => {
    const { edges, without } = JSON.parse((await described("--json")).stdout) as Record<string, unknown>;
    expect(edges).toContainEqual({ field: "Site.sites", calls: ["ListSites"], by: "name" });
    expect(without).toEqual([{ field: "Site.anything", reason: "it refers to resources of any type" }]);
  });

  it.each([[["GetKey"]], [["--stack", "grpc-js"]]])("are not listed with %j, which has none", async (args) => {
    expect((await described(...args)).stdout).not.toContain("edges of GraphQL");
  });
});
