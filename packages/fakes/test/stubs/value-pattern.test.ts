// Patterns in the conditions of stubs: regular expressions, globs, and elements of lists.
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { ValuesSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { describe, expect, it } from "vitest";
import { requestPattern } from "../../src/stubs/request-pattern.ts";

const { registry } = conformanceContract();

function matches(when: JsonValue, request: JsonValue): boolean {
  return requestPattern(ValuesSchema, when, registry)(fromJson(ValuesSchema, request, { registry }));
}

describe("a pattern", () => {
  it.each<readonly [JsonValue, JsonValue]>([
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
    expect(matches(when, request)).toBe(true);
  });

  it.each<readonly [JsonValue, JsonValue]>([
    [{ tree: { label: { matches: "^a" } } }, { tree: { label: "oak" } }],
    [{ tree: { label: { glob: "o" } } }, { tree: { label: "oak" } }],
    [{ tree: { label: { glob: "*" } } }, {}],
    [{ presence: { text: { glob: "*" } } }, { presence: {} }],
    [{ lists: { numbers: { contains: 4 } } }, { lists: { numbers: [1, 2, 3] } }],
    [{ lists: { numbers: { contains: 0 } } }, { lists: {} }],
    [{ lists: { numbers: [{ matches: "." }] } }, { lists: { numbers: [1, 7] } }],
    [{ wellKnown: { time: { glob: "2026-*" } } }, {}],
    [{ tree: { label: { matches: "a" } } }, { tree: { label: "a".repeat(100_000) } }],
  ])("%j does not match the request", (when, request) => {
    expect(matches(when, request)).toBe(false);
  });

  it.each<readonly [JsonValue, string]>([
    [{ tree: { label: { matches: "(" } } }, "when.tree.label.matches: not a regular expression of RE2"],
    [{ tree: { label: { matches: "(?=a)" } } }, "not a regular expression of RE2"],
    [{ tree: { label: { match: "a" } } }, 'did you mean "matches"?'],
    [{ tree: { label: { matches: "a", glob: "b" } } }, "expected a pattern"],
    [{ tree: { label: { matches: 1 } } }, "expected a pattern"],
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
    expect(matches({ tree: { label: { matches: "^(a+)+$" } } }, { tree: { label } })).toBe(false);
  });
});
