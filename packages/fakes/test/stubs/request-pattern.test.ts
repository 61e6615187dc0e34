// Patterns that match requests: a part of a message in ProtoJSON, with every kind of value.
import { create, fromBinary, fromJson, toBinary, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { LookRequestSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { Colour, ValuesSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { requestPattern } from "../../src/stubs/request-pattern.ts";

const { registry } = conformanceContract();

function matches(when: JsonValue, request: JsonValue): boolean {
  return requestPattern(ValuesSchema, when, registry)(fromJson(ValuesSchema, request, { registry }));
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
  ])("%j matches %j", (when, request) => {
    expect(matches(when, request)).toBe(true);
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
  ])("%j does not match %j", (when, request) => {
    expect(matches(when, request)).toBe(false);
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
    expect([pattern(fromJson(input, {})), pattern(fromJson(input, { size: 5 }))]).toEqual([false, true]);
  });

  it("with bytes in a Node.js buffer, and with 32-bit floats", () => {
    const request = create(ValuesSchema, { scalars: { bytesValue: Buffer.from("hi"), floatValue: Math.fround(0.1) } });
    const pattern = requestPattern(ValuesSchema, { scalars: { bytesValue: "aGk=", floatValue: 0.1 } }, registry);
    expect(pattern(request)).toBe(true);
    expect(pattern(fromBinary(ValuesSchema, toBinary(ValuesSchema, request)))).toBe(true);
  });
});

const texts = fc.string({ maxLength: 4 }).filter((text) => text.isWellFormed());
const trees = fc.record({ label: texts, branches: fc.array(fc.record({ label: texts }), { maxLength: 2 }) });
const requests = fc
  .record(
    {
      text: texts,
      optionalText: texts,
      texts: fc.array(texts, { maxLength: 3 }),
      largeNumbers: fc.array(fc.bigInt({ min: -5n, max: 5n }), { maxLength: 2 }),
      colours: fc.array(fc.constantFrom(Colour.RED, Colour.GREEN), { maxLength: 2 }),
      scalars: fc.record({
        int32Value: fc.nat(3),
        doubleValue: fc.double().map((value) => value + 0),
        bytesValue: fc.uint8Array({ maxLength: 2 }),
      }),
      presence: fc.record({ number: fc.nat(2), flag: fc.boolean() }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  .map((init) => create(LookRequestSchema, init));
const values = fc
  .record({ tree: trees, lists: fc.record({ trees: fc.array(trees, { maxLength: 2 }) }) }, { requiredKeys: [] })
  .map((init) => create(ValuesSchema, init));

/** A random part of a value: members of objects may be left out, elements of lists may not. */
function partOf(json: JsonValue, stays: () => boolean): JsonValue {
  if (Array.isArray(json)) return json.map((one) => partOf(one, stays));
  if (typeof json !== "object" || json === null) return json;
  const members = Object.entries(json).filter(stays);
  return Object.fromEntries(members.map(([key, value]) => [key, partOf(value, stays)]));
}

describe("a law of patterns", () => {
  it("a request matches all of itself, and any part of that", () => {
    fc.assert(
      fc.property(fc.oneof(requests, values), fc.infiniteStream(fc.boolean()), (request, stream) => {
        const type = request.$typeName === ValuesSchema.typeName ? ValuesSchema : LookRequestSchema;
        const json = toJson(type, request, { registry });
        const part = partOf(json, () => stream.next().value as boolean);
        expect(requestPattern(type, json, registry)(request)).toBe(true);
        expect(requestPattern(type, part, registry)(request)).toBe(true);
      }),
    );
  });

  it("a request matches the pattern of another exactly if both have the same values in it", () => {
    fc.assert(
      fc.property(requests, requests, (one, other) => {
        const said = toJson(LookRequestSchema, one, { registry }) as JsonObject;
        // With zero values for fields without presence.
        const all = toJson(LookRequestSchema, other, { registry, alwaysEmitImplicit: true }) as JsonObject;
        const isSaid = Object.entries(said).every(([key, value]) => {
          const there = all[key];
          return key === "scalars" || key === "presence"
            ? there !== undefined &&
                Object.entries(value as JsonObject).every(([inner, wanted]) =>
                  Object.is((there as JsonObject)[inner], wanted),
                )
            : JSON.stringify(there) === JSON.stringify(value);
        });
        expect(requestPattern(LookRequestSchema, said, registry)(other)).toBe(isSaid);
      }),
    );
  });
});
