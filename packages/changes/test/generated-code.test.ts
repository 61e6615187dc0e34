// What changes do to source code whose types are generated again.
import { expect, it } from "vitest";
import type { Contract } from "@roundtrip/contract";
import { checkContracts, loadJudge, type ChangeVerdict } from "../src/index.ts";
import { compileVariants } from "./support/compile-text.ts";
import { worstOn } from "./support/rows/row.ts";
import { shop } from "./support/shop.ts";

const edits: readonly (readonly [title: string, verdict: ChangeVerdict, from: string, to: string])[] = [
  ["a comment", "safe", "message Thing {", "// A thing.\nmessage Thing {"],
  ["a new field", "safe", "float weight = 9;", "float weight = 9;\n  string maker = 10;"],
  ["a renamed field", "breaks", "string name = 2;", "string title = 2;"],
  ["a renamed field with its name in JSON", "breaks", "string name = 2;", 'string title = 2 [json_name = "name"];'],
  ["another name in JSON", "safe", "string name = 2;", 'string name = 2 [json_name = "title"];'],
  ["another number of a field", "safe", "string name = 2;", "string name = 20;"],
  ["a removed field", "breaks", "string name = 2;", "reserved 2;"],
  ["a number that another field has", "breaks", "string name = 2;", "int32 age = 2;"],
  ["another type", "breaks", "float weight = 9;", "double weight = 9;"],
  ["a list instead of one value", "breaks", "string name = 2;", "repeated string name = 2;"],
  ["an optional field", "breaks", "string name = 2;", "optional string name = 2;"],
  ["a field in a new oneof", "breaks", "string maker = 2;", "oneof by { string maker = 2; }"],
  ["a tighter limit", "safe", "max_len = 100", "max_len = 3"],
  ["a new enum value", "safe", "MOOD_BAD = 2;", "MOOD_BAD = 2;\n  MOOD_SO_SO = 3;"],
  ["a removed enum value", "breaks", "  MOOD_BAD = 2;\n", ""],
  ["a renamed enum value", "breaks", "COLOR_RED", "COLOR_CRIMSON"],
  ["another number of an enum value", "safe", "COLOR_RED = 1", "COLOR_RED = 11"],
  ["a new operation", "safe", "  rpc Count(", "  rpc Recount(CountRequest) returns (CountResponse);\n  rpc Count("],
  ["a removed operation", "breaks", "  rpc Count(CountRequest) returns (CountResponse);\n", ""],
  ["a renamed operation", "breaks", "rpc CreateThing", "rpc MakeThing"],
  ["a renamed package", "breaks", "package shop.v1;", "package shop.v2;"],
  ["another path", "safe", "/v1/things/{id}", "/v1/things/by-id/{id}"],
  ["a stream of answers", "breaks", "returns (CountResponse)", "returns (stream CountResponse)"],
];

it("is judged by names and types", async () => {
  const texts = [shop, ...edits.map(([, , from, to]) => shop.replace(from, to))];
  const contracts = await compileVariants(texts.map((text) => ({ "shop.proto": text })));
  const [before, ...afters] = contracts as readonly [Contract, ...Contract[]];
  const judge = await loadJudge("code");
  const verdicts = afters.map((after) => worstOn(checkContracts(before, after, [judge]), "code"));
  expect(edits.map(([title], index) => [title, verdicts[index]])).toEqual(
    edits.map(([title, verdict]) => [title, verdict]),
  );
});
