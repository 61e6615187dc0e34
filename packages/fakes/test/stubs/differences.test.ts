// Where a request differs from a pattern.
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { ValuesSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { expect, it } from "vitest";
import { differenceText, requestDifferences } from "../../src/stubs/differences.ts";

const { registry } = conformanceContract();

it.each<readonly [when: JsonValue, request: JsonValue, differences: readonly string[]]>([
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
])("%j and %j", (when, request, differences) => {
  const message = fromJson(ValuesSchema, request, { registry });
  expect(requestDifferences(ValuesSchema, when, message, registry).map(differenceText)).toEqual(differences);
});
