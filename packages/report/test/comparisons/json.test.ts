// The JSON of a comparison is what its published schema says.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadComparisonFormat } from "@roundtrip/report";
import type { VersionComparison } from "@roundtrip/analysis";
import { better, failed, inconclusive, inputOf, passed, runs } from "../support/comparison.ts";

const file = new URL("../../../../schema/comparison.v1.schema.json", import.meta.url);
const schema = JSON.parse(readFileSync(file, "utf8")) as { readonly $defs: object };

/** The same schema with nothing in it that it does not name: programs may rely on more than is written, but the schema is to be whole. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const inside = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  const isObject = "properties" in inside && ["object", "object,null"].includes(String(inside["type"]));
  return isObject ? { ...inside, unevaluatedProperties: false } : inside;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(closed(schema) as object);

const json = await loadComparisonFormat("json");

function errorsOf(comparison: VersionComparison): readonly string[] {
  return errorsIn(JSON.parse(json.render(inputOf(comparison))));
}

function errorsIn(document: unknown): readonly string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

it.each(Object.entries({ better, failed, inconclusive, passed, runs }))(
  "a comparison (%s) has every key of the schema, and none beside",
  (_, comparison) => {
    expect(errorsOf(comparison)).toEqual([]);
  },
);

it("what is no comparison is refused by the schema", () => {
  const [cell, ...others] = failed.cells;
  if (cell === undefined) throw new Error("no cells");
  expect(errorsOf({ ...failed, cells: [{ ...cell, ratio: Number.NaN }, ...others] })).toContain(
    "/cells/0/ratio must be number",
  );
  const { verdict: _verdict, ...unjudged } = JSON.parse(json.render(inputOf(failed))) as typeof failed;
  expect(errorsIn({ ...unjudged, verdict: "maybe" }).join()).toContain("must be equal to one of");
  expect(errorsIn(unjudged).join()).toContain("must have required property 'verdict'");
});
