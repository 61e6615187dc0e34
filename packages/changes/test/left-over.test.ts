// `check`: reports what no single change explains, and what follows from several changes at once.
import { expect, it } from "vitest";
import { checkContracts, type CheckedChange, loadJudge } from "../src/index.ts";
import { compileFiles } from "./support/compile-text.ts";
import { shop } from "./support/shop.ts";

async function check([before, after]: readonly string[], styles: readonly string[]): Promise<readonly CheckedChange[]> {
  const [older, newer] = await Promise.all([before, after].map((text = "") => compileFiles({ "shop.proto": text })));
  if (older === undefined || newer === undefined) throw new Error("two contracts");
  return checkContracts(older, newer, await Promise.all(styles.map(loadJudge)));
}

it("reports each removed mutation if the schema has no others", async () => {
  const without = shop
    .replace("  rpc Count(CountRequest) returns (CountResponse);\n", "")
    .replace(/ {2}rpc CreateThing.*?\n {2}\}\n/s, "");
  expect(without).not.toContain("rpc CreateThing");
  const rows = await check([shop, without], ["graphql"]);
  expect(rows.filter(({ kind }) => kind === "operation-removed").map(({ styles }) => styles["graphql"])).toEqual([
    { verdict: "breaks", reason: "Mutation.createThing was removed" },
    { verdict: "breaks", reason: "Mutation.count was removed" },
  ]);
});

it("reports a field once, even if GraphQL also has an enum of its message's fields for masks", async () => {
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
  const added = await check([masked, more], ["graphql"]);
  expect(added.map(({ where, styles }) => [where, styles["graphql"]?.verdict])).toEqual([
    ["shop.v1.Tag.shelf_mark", "safe"],
  ]);
  const removed = await check([more, masked], ["graphql"]);
  expect(removed.map(({ where, styles }) => [where, styles["graphql"]?.verdict])).toEqual([
    ["shop.v1.Tag.shelf_mark", "breaks"],
  ]);
});

it("judges by the schema, and not by comments that read like one", async () => {
  const commented = `syntax = "proto3";
package ask.v1;
service Asks {
  rpc Ask(AskRequest) returns (Answer) { option idempotency_level = NO_SIDE_EFFECTS; }
}
message AskRequest { int32 much = 1; }
// What is answered.
// input AskInput
// type AskRequest
message Answer { string text = 1; }
`;
  const [row] = await check([commented, commented.replace("int32 much", "int64 much")], ["graphql"]);
  expect(row?.styles["graphql"]).toEqual({
    verdict: "breaks",
    reason: "Query.ask.much changed type from Int to Int64",
  });
});

const chat = `syntax = "proto3";
package chat.v1;
service Chat {
  rpc Talk(stream Line) returns (stream Line);
}
message Line {
  string text = 1;
}
`;

it("breaks nothing in a style that does not carry it", async () => {
  const [row] = await check([chat, chat.replace("string text = 1", "string text = 11")], ["grpc", "rest", "graphql"]);
  expect(Object.values(row?.styles ?? {}).map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual([
    expect.stringMatching(/^breaks/),
    "safe: REST does not carry it",
    "safe: GraphQL does not carry it",
  ]);
});
