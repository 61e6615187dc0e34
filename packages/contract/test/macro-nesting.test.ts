// Rules that nest macros too deep are refused when a contract is loaded: they cost more than a server can spend on one call.
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { requestRules } from "../src/calls/service-of.ts";
import type { Contract } from "../src/index.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const nested = (depth: number): string => (depth === 0 ? "true" : `this.all(v${depth}, ${nested(depth - 1)})`);
const doubled = (times: number): string => `this${".map(text, text + text)".repeat(times)}.all(text, text != '')`;

/** A rule of each kind with this expression over a list of texts. */
const places = {
  field: (cel: string) => `repeated string items = 1 [(buf.validate.field).cel = {id: "deep", expression: "${cel}"}];`,
  "field without an id": (cel: string) => `repeated string items = 1 [(buf.validate.field).cel_expression = "${cel}"];`,
  message: (cel: string) =>
    `repeated string items = 1; option (buf.validate.message).cel = {id: "deep", expression: "${cel.replaceAll("this", "this.items")}"};`,
  items: (cel: string) =>
    `repeated string items = 1 [(buf.validate.field).repeated.items.cel = {id: "deep", expression: "${cel.replaceAll("this", "[this]")}"}];`,
  "values of a map": (cel: string) =>
    `map<string, string> items = 1 [(buf.validate.field).map.values.cel = {id: "deep", expression: "${cel.replaceAll("this", "[this]")}"}];`,
  "inner message": (cel: string) => `Inner items = 1; message Inner { ${places.field(cel)} }`,
  predefined: (cel: string) =>
    `repeated string items = 1 [(buf.validate.field).repeated.(deep.Request.deep) = true]; extend buf.validate.RepeatedRules { bool deep = 1002 [(buf.validate.predefined).cel = {id: "deep", expression: "${cel}"}]; }`,
} as const;

function contractWith(fields: string): Contract {
  return compileContract(`
    edition = "2023";
    package deep;
    import "buf/validate/validate.proto";
    service Asks { rpc Ask(Request) returns (Request); }
    message Request { ${fields} }
  `);
}

function load(fields: string): void {
  requestRules(contractWith(fields));
}

describe.each(Object.entries(places))("a rule of a %s", (_, place) => {
  it("may nest three macros, and no four", () => {
    expect(() => load(place(nested(3)))).not.toThrow();
    expect(() => load(place(nested(4)))).toThrow(
      /rule .+ of deep\.Request.* nests 4 macros \(all, exists, map, filter …\); at most 3$/,
    );
  });
});

it("has the place of a rule that nests too deep", () => {
  expect(() => load(places.field(nested(7)))).toThrow(
    /^test\.proto:\d+:\d+: rule deep of deep\.Request\.items nests 7 macros/,
  );
});

it.each([
  ["lists made for the next macro", doubled(24), 25],
  ["a macro in an argument", "this.all(a, size(this.filter(b, this.exists(c, this.exists_one(d, a == d)))) > 0)", 4],
  ["a macro in a list", "this.all(a, [this.all(b, {'key': this.all(c, this.all(d, c == d))}.key)].all(x, x))", 5],
])("counts %s", (_, expression, nesting) => {
  expect(() => load(places.field(expression))).toThrow(`nests ${nesting} macros`);
});

it.each([
  ["pairs", "this.all(a, this.exists_one(b, a == b))"],
  ["membership", "this.all(a, !(a + '!' in this))"],
  ["distinct elements", "this.unique()"],
  [
    "macros side by side",
    "this.all(a, a != '') && this.all(b, b != 'b') && this.all(c, c != 'c') && this.all(d, d != 'd')",
  ],
])("accepts %s", (_, expression) => {
  const contract = contractWith(places.field(expression));
  const { input } = contract.operation("deep.Asks.Ask");
  expect(() => requestRules(contract)(input, create(input, { items: ["x", "y"] }))).not.toThrow();
});
