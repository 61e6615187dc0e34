// `check`: what only a tool knows, and what follows from several changes at once, is told too.
import { expect, it } from "vitest";
import { checkContracts } from "../src/check/check-contracts.ts";
import { compileFiles } from "./support/check/compile-text.ts";
import { shop } from "./support/check/shop.ts";

it("tells of each mutation that the schema has none left", async () => {
  const without = shop
    .replace("  rpc Count(CountRequest) returns (CountResponse);\n", "")
    .replace(/ {2}rpc CreateThing.*?\n {2}\}\n/s, "");
  expect(without).not.toContain("rpc CreateThing");
  const [before, after] = await Promise.all([{ "shop.proto": shop }, { "shop.proto": without }].map(compileFiles));
  if (before === undefined || after === undefined) throw new Error("two contracts");
  const rows = await checkContracts(before, after, ["graphql"]);
  expect(rows.filter(({ kind }) => kind === "operation-removed").map(({ styles }) => styles.graphql)).toEqual([
    { verdict: "breaks", reason: "Mutation was removed" },
    { verdict: "breaks", reason: "Mutation was removed" },
  ]);
});

it("tells what buf finds and callers cannot see yet: a number that may be taken again", async () => {
  const reserved = shop.replace("message CountRequest {\n", "message CountRequest {\n  reserved 7;\n");
  const [before, after] = await Promise.all([{ "shop.proto": reserved }, { "shop.proto": shop }].map(compileFiles));
  if (before === undefined || after === undefined) throw new Error("two contracts");
  const [row, ...others] = await checkContracts(before, after, ["grpc", "rest"]);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    kind: "found-by-buf",
    where: expect.stringMatching(/^shop\.proto:\d+$/),
    styles: { grpc: { verdict: "may break" }, rest: { verdict: "safe" } },
  });
  expect(row?.what).toContain("RESERVED_MESSAGE_NO_DELETE");
});

it("tells of a field once, where GraphQL has an enum of its message's fields for masks too", async () => {
  const masked = shop
    .replace(
      'import "google/api/annotations.proto";',
      'import "google/api/annotations.proto";\nimport "google/protobuf/field_mask.proto";',
    )
    .replace(
      "message CountRequest {\n",
      "message Tag {\n  string text = 1;\n}\n\nmessage CountRequest {\n  Tag tag = 2;\n  google.protobuf.FieldMask update_mask = 3;\n",
    );
  const more = masked.replace("message Tag {\n", "message Tag {\n  string shelf_mark = 2;\n");
  const [before, after] = await Promise.all([{ "shop.proto": masked }, { "shop.proto": more }].map(compileFiles));
  if (before === undefined || after === undefined) throw new Error("two contracts");
  const added = await checkContracts(before, after, ["graphql"]);
  expect(added.map(({ where, styles }) => [where, styles.graphql?.verdict])).toEqual([
    ["shop.v1.Tag.shelf_mark", "safe"],
  ]);
  const removed = await checkContracts(after, before, ["graphql"]);
  expect(removed.map(({ where, styles }) => [where, styles.graphql?.verdict])).toEqual([
    ["shop.v1.Tag.shelf_mark", "breaks"],
  ]);
});

const chat = `syntax = "proto3";
package chat.v1;
service Chat {
  rpc Talk(stream Line) returns (stream Line);
}
message Line {
  string text = 1;
  oneof more {
    string picture = 2;
  }
  map<int32, string> marks = 3;
}
`;

async function judged(from: string, to: string): Promise<readonly (string | undefined)[]> {
  const [before, after] = await Promise.all(
    [{ "c.proto": chat }, { "c.proto": chat.replace(from, to) }].map(compileFiles),
  );
  if (before === undefined || after === undefined) throw new Error("two contracts");
  const [row] = await checkContracts(before, after, ["grpc", "rest", "graphql"]);
  return Object.values(row?.styles ?? {}).map(({ verdict, reason }) => `${verdict}: ${reason}`);
}

it("breaks nothing on a style that carries none of it", async () => {
  expect(await judged("string text = 1", "string text = 11")).toEqual([
    expect.stringMatching(/^breaks/),
    "safe: REST does not carry it",
    "safe: GraphQL does not carry it",
  ]);
});

it("tells that a oneof may hold a member that callers do not know, and a map keys that they cannot", async () => {
  const [choice] = await judged("string picture = 2;", "string picture = 2;\n    string sound = 4;");
  expect(choice).toBe("may break: callers may find none of the members that they know in the oneof");
  const [keys] = await judged("map<int32, string>", "map<int64, string>");
  expect(keys).toMatch(/^may break: .* keys? /);
});
