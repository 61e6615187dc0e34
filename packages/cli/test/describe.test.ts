// `describe`: what somebody else's contract becomes, in words and documents that are true of it too.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "./support/run-program.ts";
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

const cwd = emptyFolder();
beforeAll(() => {
  mkdirSync(join(cwd, "shop"));
  writeFileSync(join(cwd, "shop", "shop.proto"), shop);
});

describe("the documents of a user's contract", () => {
  it("have neutral names, and say where they come from without speaking of another's folders", async () => {
    const { status, stdout } = await run(["describe", "--contract", "shop", "--out", "documents"], { cwd });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "documents/schema.graphql\ndocuments/openapi.yaml\n" });
    expect(readdirSync(join(cwd, "documents")).toSorted()).toEqual(["openapi.yaml", "schema.graphql"]);
    for (const name of ["openapi.yaml", "schema.graphql"]) {
      const text = readFileSync(join(cwd, "documents", name), "utf8");
      expect(text).toMatch(/^# Made by Roundtrip from the contract's \.proto files: change those, not this one\.\n/);
      expect(text).not.toMatch(/proto\/|pnpm|roundtrip\./);
    }
  });
});

it("prints the first paragraph of a comment, with links as words", async () => {
  const folder = emptyFolder();
  const comment = [
    "  // Creates a [Thing][shop.v1.Thing] as [the guide](https://shop.example/guide) says, in the place that",
    "  // was given.",
    "  //",
    "  //   * first, with words that",
    "  //     go on",
  ].join("\n");
  const text = shop.replace("  // Puts a price on a thing.", comment);
  writeFileSync(join(folder, "shop.proto"), text);
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
  const folder = emptyFolder();
  beforeAll(() => {
    mkdirSync(join(folder, "shop"));
    writeFileSync(join(folder, "shop", "shop.proto"), twice);
  });

  it("and cannot carry is printed once, with how many there are; what one loses stands below that one", async () => {
    const { stdout } = await run(["describe", "--contract", "shop", "--stack", "graphql-apollo"], { cwd: folder });
    const [operations = "", rest = ""] = stdout.split("Not carried, in several operations\n");
    expect(rest.split("\n\n")[0]).toBe("  GraphQL  Thing.colour: numbers that Colour does not name (2 operations)");
    expect(operations).not.toContain("Thing.colour");
    expect(operations.match(/cannot carry: 1 shared with other operations, listed below/g)).toHaveLength(2);
    expect(operations).toContain("cannot carry: Other.other_colour: numbers that Colour does not name\n");
  });
});
