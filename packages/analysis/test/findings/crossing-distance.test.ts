// Sentences about the distance from which a variant is slower than the façade.
import { idsFromName } from "../../src/run/stack-ids.ts";
import { describe, expect, it } from "vitest";
import { analyse } from "../../src/analyse/analyse.ts";
import { crossingDistance } from "../../src/findings/crossing-distance.ts";
import { evidenceOf } from "../../src/findings/evidence.ts";
import type { Crossover } from "../../src/distance/crossovers.ts";
import { factsOf, samplesOf } from "../synthetic-run.ts";

const nothing = analyse(factsOf([], 0), samplesOf([]));

/** Chatty calls of one style against the façade of one. */
function rivals(title: string, facadeTitle: string, change: Partial<Crossover> = {}): Crossover {
  return {
    study: "far",
    task: "read",
    variant: "chatty",
    ...idsFromName(title),
    title,
    stackTitle: title,
    settings: {},
    facade: { ...idsFromName(facadeTitle), title: facadeTitle, stackTitle: facadeTitle, settings: {} },
    facadeStack: facadeTitle,
    facadeTitle,
    aboveMs: null,
    low: null,
    high: null,
    always: "facade",
    isClear: true,
    nearestMs: 1,
    farthestMs: 200,
    rounds: 6,
    armIds: [`${title} ${facadeTitle}`],
    ...change,
  };
}

function sentences(...crossovers: readonly Crossover[]): readonly string[] {
  const evidence = evidenceOf({ ...nothing, crossovers, mtuBytes: 0, libraries: [], generator: undefined });
  return crossingDistance("far", "read", evidence).map(
    ({ code, strength, sentence }) => `${code}, ${strength}: ${sentence}`,
  );
}

const styles = ["gRPC", "REST"];

describe("sentences about distances", () => {
  it("is one phrase where every style loses to every façade", () => {
    const all = styles.flatMap((title) => styles.map((facade) => rivals(title, facade)));
    expect(sentences(...all)).toEqual([
      "crossover, clear: For a read, chatty over gRPC and REST loses to the façade over any of gRPC and REST at every distance from 1 to 200 ms.",
    ]);
  });

  it("names the façades if some are missing, and the variant that wins", () => {
    expect(
      sentences(
        rivals("gRPC", "gRPC"),
        rivals("gRPC", "REST"),
        rivals("REST", "gRPC"),
        rivals("REST", "REST", { always: "other" }),
      ),
    ).toEqual([
      "crossover, clear: For a read, chatty gRPC loses to façade gRPC and façade REST at every distance from 1 to 200 ms; chatty REST loses to façade gRPC at every distance from 1 to 200 ms; chatty REST wins against façade REST at every distance from 1 to 200 ms.",
    ]);
  });

  it("keeps studies, tasks, variants and strengths apart", () => {
    const rows = [
      rivals("gRPC", "gRPC"),
      rivals("gRPC", "gRPC", { variant: "chatty-parallel", isClear: false, always: null }),
      rivals("gRPC", "gRPC", { study: "near" }),
      rivals("gRPC", "gRPC", { task: "write" }),
    ];
    expect(sentences(...rows)).toEqual([
      "crossover, clear: For a read, chatty gRPC loses to façade gRPC at every distance from 1 to 200 ms.",
      "crossover-chatty-parallel, inconclusive: For a read, the distance from which the façade wins is unclear: chatty in parallel gRPC and façade gRPC.",
    ]);
  });

  it("has crossings with their intervals", () => {
    expect(sentences(rivals("gRPC", "REST", { always: null, aboveMs: 20, low: 18, high: 25 }))).toEqual([
      "crossover, clear: For a read, chatty gRPC loses to façade REST above 20 ms (95 % interval 18 to 25 ms).",
    ]);
  });
});
