// Figures of a stack that had not settled carry a sign wherever they are shown, and the sign is explained there.
import { idsFromName } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { loadFormat, renderPlots } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultInput } from "./support/fixture.ts";

const settled = defaultInput();
const input: ReportInput = {
  ...settled,
  analysis: {
    ...settled.analysis,
    unsettled: [{ ...idsFromName("grpc-js"), title: "gRPC", stackTitle: "gRPC", settings: {}, rounds: [0, 3], of: 6 }],
  },
};
const note = "† Warm-up cut off before the numbers settled: gRPC in 2 of 6 rounds.";

async function rendered(name: string, from: ReportInput): Promise<string> {
  return (await (await loadFormat(name)).render(from)).replaceAll(/\s+/g, " ");
}

test.each(["terminal", "markdown", "html"])("%s: names carry the sign, which the document explains", async (name) => {
  const text = await rendered(name, input);
  expect(text).toContain("gRPC†");
  expect(text.indexOf(note)).toBeGreaterThan(0);
  expect(text.match(/REST†|GraphQL†/)).toBeNull();
});

test.each(["terminal", "markdown", "html"])("%s: a run that settled has no sign", async (name) => {
  expect(await rendered(name, settled)).not.toContain("†");
});

test("the screen explains the sign beside the first table's name", async () => {
  const [first] = (await (await loadFormat("summary")).render(input)).split("\n");
  expect(first).toMatch(/^hello: time and cost of a task, in µs \(† still warming up: less in a longer run\)$/);
});

test("a picture explains the sign inside its own file", async () => {
  const drawn = (await renderPlots(input)).map(({ svg }) => svg.replace(/<desc.*<\/desc>/s, ""));
  const marked = drawn.filter((svg) => svg.includes("gRPC†"));
  expect(marked.length).toBeGreaterThan(10);
  for (const svg of marked) expect(svg).toMatch(/<text[^>]*>† Warm-up cut off/);
});
