// The rules that apply to every style have cases that check them.
import { ruleTopics } from "@roundtrip/contract/rules";
import { misuseTitles } from "@roundtrip/styles";
import { expect, it } from "vitest";
import { conformanceCases } from "../src/index.ts";

it("the rules name areas that have cases", () => {
  const areas: ReadonlySet<string> = new Set(conformanceCases.map(({ area }) => area));
  for (const { areas: checked } of ruleTopics) for (const area of checked) expect(areas).toContain(area);
});

it("each misuse has one case", () => {
  expect(conformanceCases.filter(({ area }) => area === "misuse")).toHaveLength(Object.keys(misuseTitles).length);
});
