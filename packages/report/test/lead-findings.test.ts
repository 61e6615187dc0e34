// Which sentences of a run under load come first: those that answer what it was made for.
import type { Analysis, Finding } from "@roundtrip/analysis";
import { expect, it } from "vitest";
import { leadFindings } from "../src/words/lead-findings.ts";

function finding(study: string, code: string, strength: Finding["strength"] = "measured"): Finding {
  return { study, code, strength, sentence: `${study} ${code}`, armIds: [study] };
}

/** As a run of all studies of load has them, by study. */
const alone = ["no-difference", "no-difference", "cpu-share", "wire-bytes"];
const findings: readonly Finding[] = [
  ...["load-cache", "load-difficulty", "load-rates"].flatMap((study) =>
    alone.map((code) => finding(study, code, code === "no-difference" ? "inconclusive" : "measured")),
  ),
  finding("load-cache", "load-levels"),
  finding("load-calls", "fastest", "clear"),
  finding("load-calls", "carried-load"),
  finding("load-calls", "response-doubling"),
  finding("load-rates", "response-doubling"),
  finding("load-threads", "load-levels"),
];

function led(all: readonly Finding[]): readonly string[] {
  const arms = [...new Set(all.map(({ study }) => study))].map((id) => ({ id, task: "power" }));
  return leadFindings({ arms: arms as unknown as Analysis["arms"], findings: all }).lead.map((one) => one.sentence);
}

it("begins with what is carried, from where on waiting is long, and what settings buy, in six sentences at most", () => {
  expect(led(findings)).toEqual([
    "load-calls carried-load",
    "load-calls response-doubling",
    "load-rates response-doubling",
    "load-cache load-levels",
    "load-threads load-levels",
  ]);
});

it("adds what is clear of lone callers only where a study says nothing of loads", () => {
  const clear = finding("load-difficulty", "fastest", "clear");
  expect(led([clear, ...findings]).at(-1)).toBe("load-difficulty fastest");
  expect(led([clear, ...findings])).toHaveLength(6);
});

it("keeps every sentence: what does not lead stands further below", () => {
  const arms = [...new Set(findings.map(({ study }) => study))].map((id) => ({ id, task: "power" }));
  const { lead, more, others } = leadFindings({ arms: arms as unknown as Analysis["arms"], findings });
  expect([...lead, ...more, ...others]).toHaveLength(findings.length);
});
