// Patterns of requests: which requests match, where others differ, and what is refused.
import { create, fromBinary, fromJson, toBinary, type JsonValue } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { ValuesSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { differenceText } from "../../src/stubs/near-stubs.ts";
import { requestPattern } from "../../src/stubs/request-pattern.ts";

const { registry } = conformanceContract();

function differences(when: JsonValue, request: JsonValue): readonly string[] {
  const pattern = requestPattern(ValuesSchema, when, registry);
  const message = fromJson(ValuesSchema, request, { registry });
  const texts = pattern.differences(message).map(differenceText);
  expect(pattern.matches(message)).toBe(texts.length === 0);
  return texts;
}

describe("a request matches a pattern", () => {
  it.each<readonly [JsonValue, JsonValue]>([
    [{}, { tree: { label: "oak" } }],
    [{ tree: {} }, { tree: { label: "oak" } }],
    [{ tree: { label: "oak" } }, { tree: { label: "oak", branches: [{}] }, scalars: { boolValue: true } }],
    [{ scalars: { int32Value: 0, string_value: "" } }, { scalars: {} }],
    [{ scalars: { int64Value: 7 } }, { scalars: { int64Value: "7" } }],
    [{ scalars: { floatValue: 0.1 } }, { scalars: { floatValue: 0.1 } }],
    [{ scalars: { doubleValue: "NaN" } }, { scalars: { doubleValue: "NaN" } }],
    [{ scalars: { bytesValue: "aGk=" } }, { scalars: { bytesValue: "aGk" } }],
    [{ scalars: { colour: "COLOUR_RED" } }, { scalars: { colour: 1 } }],
    [{ presence: { text: "" } }, { presence: { text: "" } }],
    [{ presence: { text: null, number: 0 } }, { presence: { number: 0 } }],
    [{ tree: null }, {}],
    [{ lists: { numbers: [1, 2] } }, { lists: { numbers: [1, 2] } }],
    [{ lists: { numbers: [] } }, { lists: {} }],
    [{ lists: { trees: [{}, { label: "b" }] } }, { lists: { trees: [{ label: "a" }, { label: "b", only: {} }] } }],
    [{ maps: { textByText: { a: "1" } } }, { maps: { textByText: { a: "1", b: "2" } } }],
    [{ maps: { treeByText: { a: {} } } }, { maps: { treeByText: { a: { label: "oak" } } } }],
    [{ maps: { largeNumberByNumber: { "1": "2" } } }, { maps: { largeNumberByNumber: { "1": 2 } } }],
    [{ choice: { text: "" } }, { choice: { text: "" } }],
    [{ choice: { tree: {} } }, { choice: { tree: { label: "oak" } } }],
    [{ choice: { text: null } }, { choice: { flag: false } }],
    [{ wellKnown: { time: "2020-01-01T00:00:00Z" } }, { wellKnown: { time: "2020-01-01T01:00:00+01:00" } }],
    [{ wellKnown: { struct: { a: [1] } } }, { wellKnown: { struct: { a: [1] } } }],
    [{ wellKnown: { value: null } }, { wellKnown: { value: null } }],
    [{ wellKnown: { mask: "a,b" } }, { wellKnown: { mask: "a,b" } }],
    [
      { wrappers: { stringValue: "a", bytesValue: "aGk=", floatValue: 0.1 } },
      { wrappers: { stringValue: "a", bytesValue: "aGk=", floatValue: 0.1 } },
    ],
    [{ awkwardNames: { constructor: "a", called: "b" } }, { awkwardNames: { constructor: "a", called: "b" } }],
    [{ tree: { label: { matches: "^o.k$" } } }, { tree: { label: "oak" } }],
    [{ tree: { label: { matches: "a" } } }, { tree: { label: "oak" } }],
    [{ tree: { label: { glob: "o*" } } }, { tree: { label: "oak\nelm" } }],
    [{ tree: { label: { glob: "o?k" } } }, { tree: { label: "oäk" } }],
    [{ tree: { label: { glob: String.raw`a\*[b].` } } }, { tree: { label: "a*[b]." } }],
    [{ scalars: { int32Value: { matches: "^4\\d$" } } }, { scalars: { int32Value: 42 } }],
    [{ scalars: { colour: { glob: "*_RED" } } }, { scalars: { colour: 1 } }],
    [{ presence: { text: { glob: "*" } } }, { presence: { text: "" } }],
    [{ lists: { numbers: { contains: 2 } } }, { lists: { numbers: [1, 2, 3] } }],
    [{ lists: { trees: { contains: { label: { glob: "b*" } } } } }, { lists: { trees: [{}, { label: "birch" }] } }],
    [{ lists: { numbers: [1, { matches: "." }] } }, { lists: { numbers: [1, 7] } }],
    [{ maps: { textByText: { a: { glob: "x*" } } } }, { maps: { textByText: { a: "xyz", b: "" } } }],
    [{ wellKnown: { time: { glob: "2026-*" } } }, { wellKnown: { time: "2026-01-01T00:00:00Z" } }],
    [{ wrappers: { stringValue: { matches: "^a" } } }, { wrappers: { stringValue: "ab" } }],
    [{ wellKnown: { struct: { matches: "a" } } }, { wellKnown: { struct: { matches: "a" } } }],
  ])("%j matches %j", (when, request) => {
    expect(differences(when, request)).toEqual([]);
  });

  it.each<readonly [JsonValue, JsonValue]>([
    [{ tree: {} }, {}],
    [{ tree: { label: "oak" } }, { tree: { label: "elm" } }],
    [{ scalars: { int32Value: 0 } }, {}],
    [{ presence: { text: "" } }, { presence: {} }],
    [{ presence: { text: null } }, { presence: { text: "" } }],
    [{ tree: null }, { tree: {} }],
    [{ lists: { numbers: [1] } }, { lists: { numbers: [1, 2] } }],
    [{ lists: { numbers: [1, 2] } }, { lists: { numbers: [2, 1] } }],
    [{ lists: { numbers: [] } }, { lists: { numbers: [1] } }],
    [{ maps: { textByText: { a: "1" } } }, { maps: { textByText: { b: "1" } } }],
    [{ maps: { textByText: { constructor: "1" } } }, { maps: { textByText: {} } }],
    [{ maps: { treeByText: { constructor: {} } } }, { maps: { treeByText: {} } }],
    [{ choice: { text: "" } }, { choice: { flag: false } }],
    [{ choice: { text: "" } }, { choice: {} }],
    [{ choice: { tree: {} } }, { choice: { nothing: {} } }],
    [{ choice: { text: null } }, { choice: { text: "" } }],
    [{ wellKnown: { struct: {} } }, { wellKnown: { struct: { a: 1 } } }],
    [{ wellKnown: { value: null } }, { wellKnown: { value: 0 } }],
    [{ wellKnown: { value: null } }, { wellKnown: {} }],
    [{ wrappers: { stringValue: "" } }, { wrappers: {} }],
    [{ scalars: { bytesValue: "aGk=" } }, { scalars: { bytesValue: "aGkh" } }],
    [{ scalars: { bytesValue: "aGk=" } }, { scalars: { bytesValue: "aGo=" } }],
    [{ tree: { label: { matches: "^a" } } }, { tree: { label: "oak" } }],
    [{ tree: { label: { glob: "o" } } }, { tree: { label: "oak" } }],
    [{ tree: { label: { glob: "*" } } }, {}],
    [{ presence: { text: { glob: "*" } } }, { presence: {} }],
    [{ lists: { numbers: { contains: 4 } } }, { lists: { numbers: [1, 2, 3] } }],
    [{ lists: { numbers: { contains: 0 } } }, { lists: {} }],
    [{ lists: { numbers: [{ matches: "." }] } }, { lists: { numbers: [1, 7] } }],
    [{ wellKnown: { time: { glob: "2026-*" } } }, {}],
    [{ tree: { label: { matches: "a" } } }, { tree: { label: "a".repeat(100_000) } }],
  ])("%j does not match %j", (when, request) => {
    expect(differences(when, request)).not.toEqual([]);
  });

  it.each<readonly [when: JsonValue, request: JsonValue, texts: readonly string[]]>([
    [{ tree: { label: "oak" } }, { tree: { label: "oak" } }, []],
    [{ tree: { label: "oak" } }, { tree: { label: "elm" } }, ['tree.label: expected "oak", got "elm"']],
    [{ tree: { label: "oak" } }, {}, ['tree: expected {"label":"oak"}, got nothing']],
    [{ tree: null }, { tree: {} }, ['tree: expected nothing, got {"label":"","branches":[]}']],
    [
      { tree: { branches: [{ label: "a" }, { only: { label: { glob: "x*" } } }] } },
      { tree: { branches: [{ label: "b" }, { only: { label: "c" } }] } },
      ['tree.branches[0].label: expected "a", got "b"', 'tree.branches[1].only.label: expected {"glob":"x*"}, got "c"'],
    ],
    [{ lists: { numbers: [1, 2] } }, { lists: { numbers: [1, 3] } }, ["lists.numbers[1]: expected 2, got 3"]],
    [{ lists: { numbers: [1, 2] } }, { lists: { numbers: [1] } }, ["lists.numbers: expected [1,2], got [1]"]],
    [{ lists: { numbers: { contains: 5 } } }, {}, ['lists: expected {"numbers":{"contains":5}}, got nothing']],
    [
      { maps: { textByText: { a: { glob: "x*" }, b: "1" } } },
      { maps: { textByText: { a: "y", c: "1" } } },
      ['maps.textByText.a: expected {"glob":"x*"}, got "y"', 'maps.textByText.b: expected "1", got nothing'],
    ],
    [
      { maps: { treeByText: { a: { label: "1" } } } },
      { maps: { treeByText: { a: {} } } },
      ['maps.treeByText.a.label: expected "1", got ""'],
    ],
    [{ choice: { text: "a" } }, { choice: { flag: true } }, ['choice.text: expected "a", got nothing']],
    [{ scalars: { int64Value: 7 } }, { scalars: { int64Value: "8" } }, ['scalars.int64Value: expected 7, got "8"']],
    [
      { wellKnown: { time: { glob: "2026-*" } } },
      { wellKnown: { time: "2025-01-01T00:00:00Z" } },
      ['wellKnown.time: expected {"glob":"2026-*"}, got "2025-01-01T00:00:00Z"'],
    ],
  ])("%j and %j differ in %j", (when, request, texts) => {
    expect(differences(when, request)).toEqual(texts);
  });

  it.each<readonly [JsonValue, string]>([
    [{ tree: { label: { matches: "(" } } }, "when.tree.label.matches: not a regular expression of RE2"],
    [{ tree: { label: { matches: "(?=a)" } } }, "not a regular expression of RE2"],
    [{ tree: { label: { match: "a" } } }, 'did you mean "matches"?'],
    [{ tree: { label: { matches: "a", glob: "b" } } }, "expected one of matches, glob; got matches and glob"],
    [{ tree: { label: { matches: 1 } } }, "when.tree.label.matches: expected a string, got 1"],
    [{ tree: { label: { matches: "a".repeat(1_001) } } }, "at most 1000 characters, got 1001"],
    [{ lists: { numbers: { contains: "x" } } }, "expected an int32"],
    [{ lists: { numbers: {} } }, "contains"],
    [{ scalars: { boolValue: { matches: "t" } } }, "expected a bool"],
    [{ scalars: { bytesValue: { glob: "*" } } }, "expected bytes in base64"],
    [{ lists: { numbers: [{ glob: "*" }, "x"] } }, "when.lists.numbers[1]"],
  ])("%j is refused", (when, message) => {
    expect(() => requestPattern(ValuesSchema, when, registry, ["when"])).toThrow(message);
  });

  it("takes linear time for texts that make other engines try every split", () => {
    const label = `${"a".repeat(20_000)}!`;
    expect(differences({ tree: { label: { matches: "^(a+)+$" } } }, { tree: { label } })).toHaveLength(1);
  });

  it("without the defaults that a contract gives to fields", () => {
    const contract = compileContract(`syntax = "proto2";
package old.v1;
service Old { rpc Ask(AskRequest) returns (AskRequest); }
message AskRequest {
  optional int32 size = 1 [default = 5];
}
`);
    const { input } = contract.operation("old.v1.Old.Ask");
    const pattern = requestPattern(input, { size: 5 }, contract.registry);
    expect([{}, { size: 5 }].map((json) => pattern.matches(fromJson(input, json)))).toEqual([false, true]);
  });

  it("with bytes in a Node.js buffer, and with 32-bit floats", () => {
    const request = create(ValuesSchema, { scalars: { bytesValue: Buffer.from("hi"), floatValue: Math.fround(0.1) } });
    const pattern = requestPattern(ValuesSchema, { scalars: { bytesValue: "aGk=", floatValue: 0.1 } }, registry);
    expect(pattern.matches(request)).toBe(true);
    expect(pattern.matches(fromBinary(ValuesSchema, toBinary(ValuesSchema, request)))).toBe(true);
  });
});
