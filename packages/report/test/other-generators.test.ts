// What a report claims of runs whose calls another generator made: here, between this project's checks, or elsewhere, where nothing is known of any.
import type { RunFacts } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import { loadFormat } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();
const { environment } = input.facts;
const generators = [{ name: "k6", version: "v1.8.1", segment: "0:1" }];

const withFacts = (facts: Partial<RunFacts>): ReportInput => ({ ...input, facts: { ...input.facts, ...facts } });

const here = withFacts({ environment: { ...environment, generators } });
const imported = withFacts({
  environment: { ...environment, generators, libraries: {}, cores: 0 },
  events: [{ kind: "imported" }],
  verification: { responsesCompared: 0, answerGroups: 0, agreed: true },
});

/** With every run of white space as one space. */
const render = async (format: string, from: ReportInput): Promise<string> =>
  (await (await loadFormat(format)).render(from)).replaceAll(/\s+/g, " ");

describe("of a run that was made elsewhere", () => {
  it.each(["html", "markdown", "terminal"])("%s claims no comparison of answers", async (format) => {
    const text = await render(format, imported);
    expect(text).toContain("answers were not compared here: the calls were made elsewhere");
    expect(text).not.toMatch(/\b0 responses|Equal answers first|agreed/);
  });

  it("the method is the plan's: its order, its unmeasured first tasks, rounds that are runs", async () => {
    const text = await render("html", imported);
    for (const claim of ["Made elsewhere.", "A round is one run of the generator", "in the order of its plan"]) {
      expect(text).toContain(claim);
    }
    expect(text).not.toMatch(/The first call is apart|random order|starts everything anew/);
  });

  it("no libraries are listed: whose they were is unknown", async () => {
    expect(await render("markdown", imported)).not.toMatch(/\| libraries|Libraries and defaults/);
  });
});

describe("of a run that was made here", () => {
  it("libraries are said to be of servers and checks, and the first call to be this project's own", async () => {
    const text = await render("html", here);
    expect(text).toContain("@grpc/grpc-js 1.14.0");
    expect(text).toContain("The generator has its own.");
    expect(text).toContain("this project’s own client made it");
    expect(text).toContain("312 responses compared before timing: all agreed");
  });

  it("first calls are not set beside later ones, which are another client's", async () => {
    const text = await render("markdown", here);
    expect(text).toContain("Made by this project's own client, and not by the generator.");
    expect(text).not.toMatch(/first \/ later/);
    expect(await render("markdown", input)).toMatch(/first \/ later/);
  });
});
