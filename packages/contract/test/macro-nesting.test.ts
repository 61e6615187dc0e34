// Rules that nest macros too deep are refused when a contract is loaded: they cost more than a server can spend on one call.
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { requestRules } from "../src/calls/service-of.ts";
import type { Contract } from "../src/index.ts";
import { variantsOf } from "../../stacks/test/support/compile-contract.ts";

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
    `repeated string items = 1 [(buf.validate.field).repeated.(deep.v1.Request.deep) = true]; extend buf.validate.RepeatedRules { bool deep = ${1000 + cel.length} [(buf.validate.predefined).cel = {id: "deep", expression: "${cel}"}]; }`,
} as const;

const compiled = variantsOf("deep");

function contractWith(fields: string): () => Contract {
  return compiled(`
    edition = "2023";
    package deep.v1;
    import "buf/validate/validate.proto";
    service Asks { rpc Ask(Request) returns (Request); }
    message Request { ${fields} }
  `);
}

describe.each(Object.entries(places))("a rule of a %s", (_, place) => {
  const [three, four] = [contractWith(place(nested(3))), contractWith(place(nested(4)))];

  it("may nest three macros, and no four", () => {
    expect(() => requestRules(three())).not.toThrow();
    expect(() => requestRules(four())).toThrow(
      /rule .+ of deep\.v1\.Request.* nests 4 macros \(all, exists, map, filter …\); at most 3$/,
    );
  });
});

const seven = contractWith(places.field(nested(7)));

it("has the place of a rule that nests too deep", () => {
  expect(() => requestRules(seven())).toThrow(
    /^deep\/test\.proto:\d+:\d+: rule deep of deep\.v1\.Request\.items nests 7 macros/,
  );
});

const counted = [
  ["lists made for the next macro", doubled(24), 25],
  ["a macro in an argument", "this.all(a, size(this.filter(b, this.exists(c, this.exists_one(d, a == d)))) > 0)", 4],
  ["a macro in a list", "this.all(a, [this.all(b, {'key': this.all(c, this.all(d, c == d))}.key)].all(x, x))", 5],
] as const;

it.each(counted.map(([name, cel, nesting]) => ({ name, nesting, contract: contractWith(places.field(cel)) })))(
  "counts $name",
  ({ contract, nesting }) => {
    expect(() => requestRules(contract())).toThrow(`nests ${nesting} macros`);
  },
);

const accepted = [
  ["pairs", "this.all(a, this.exists_one(b, a == b))"],
  ["membership", "this.all(a, !(a + '!' in this))"],
  ["distinct elements", "this.unique()"],
  [
    "macros side by side",
    "this.all(a, a != '') && this.all(b, b != 'b') && this.all(c, c != 'c') && this.all(d, d != 'd')",
  ],
] as const;

it.each(accepted.map(([name, cel]) => ({ name, contract: contractWith(places.field(cel)) })))(
  "accepts $name",
  ({ contract }) => {
    const taken = contract();
    const { input } = taken.operation("deep.v1.Asks.Ask");
    expect(() => requestRules(taken)(input, create(input, { items: ["x", "y"] }))).not.toThrow();
  },
);
