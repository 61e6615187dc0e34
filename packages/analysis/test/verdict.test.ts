// The verdict says what the numbers allow, in sentences that a reader can check, and never more.
import { describe, expect, test } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Finding } from "../src/findings/finding.ts";
import type { Arm } from "../src/run/run-facts.ts";
import { armFor, syntheticRun } from "./synthetic-run.ts";

const shape = { rounds: 6, blocksPerRound: 2, tasksPerBlock: 5 };
const titles: Readonly<Record<string, string>> = {
  "grpc-js": "gRPC",
  "rest-express": "REST",
  "graphql-apollo": "GraphQL",
};

/** A few per cent that differ from arm to arm and round to round, always the same. */
function wobble(arm: Arm, round: number): number {
  const letters = Array.from(arm.id, (letter) => letter.charCodeAt(0)).reduce((sum, code) => sum + code, 0);
  return 1 + 0.01 * Math.sin(letters * 7 + round * round * 3);
}

function findingsOf(arms: readonly Arm[], latencyMs: (arm: Arm) => number, rounds = 6): readonly Finding[] {
  const run = syntheticRun(arms, { ...shape, rounds }, (arm, round) => latencyMs(arm) * wobble(arm, round));
  return analyse(run.facts, run.samples).findings;
}

function helloArms(...stacks: readonly string[]): readonly Arm[] {
  return stacks.map((stack) =>
    armFor({ study: "hello", task: "hello", stack, title: titles[stack] ?? stack, variant: "single" }),
  );
}

const sentences = (findings: readonly Finding[], code: string) =>
  findings.filter((finding) => finding.code === code).map(({ sentence, strength }) => `[${strength}] ${sentence}`);

describe("which style is fastest", () => {
  test("the fastest is named with its ratio to each other and the interval", () => {
    const base: Readonly<Record<string, number>> = { "grpc-js": 0.2, "rest-express": 0.25, "graphql-apollo": 0.4 };
    const findings = findingsOf(helloArms(...Object.keys(base)), (arm) => base[arm.stack] ?? 0);
    expect(sentences(findings, "fastest")).toEqual([
      expect.stringMatching(
        /^\[clear\] gRPC is fastest for one hello call: 0\.\d\d × the time of REST \(95 % interval 0\.\d\d to 0\.\d\d\) and 0\.\d\d × that of GraphQL \(0\.\d\d to 0\.\d\d\)\.$/,
      ),
    ]);
  });

  test("a difference that the interval does not support is not claimed", () => {
    const findings = findingsOf(helloArms("grpc-js", "rest-express"), (arm) => (arm.stack === "grpc-js" ? 0.2 : 0.201));
    expect(sentences(findings, "fastest")).toEqual([]);
    expect(sentences(findings, "no-difference")).toEqual([
      expect.stringMatching(
        /^\[(inconclusive|none)\] (For one hello call no difference was found between|gRPC and REST take the same time)/,
      ),
    ]);
  });

  test("a difference from four rounds is likely and says what it assumes", () => {
    const base: Readonly<Record<string, number>> = { "grpc-js": 0.2, "rest-express": 0.25, "graphql-apollo": 0.4 };
    const findings = findingsOf(helloArms(...Object.keys(base)), (arm) => base[arm.stack] ?? 0, 4);
    expect(findings.filter(({ strength }) => strength === "clear")).toEqual([]);
    expect(sentences(findings, "fastest")).toEqual([
      expect.stringMatching(
        /^\[likely\] gRPC is likely fastest for one hello call: 0\.\d\d × the time of REST \(95 % interval 0\.\d\d to 0\.\d\d from 4 rounds, assuming normal noise\) and 0\.\d\d × that of GraphQL \(0\.\d\d to 0\.\d\d\)\.$/,
      ),
    ]);
  });

  test("equal arms are not called the same from five rounds", () => {
    const findings = findingsOf(helloArms("grpc-js", "rest-express"), () => 0.2, 5);
    expect(sentences(findings, "no-difference")).toEqual([
      expect.stringMatching(/^\[inconclusive\] For one hello call no difference was found between/),
    ]);
  });

  test("with two rounds nothing is claimed, and the reason is given", () => {
    const findings = findingsOf(
      helloArms("grpc-js", "rest-express"),
      (arm) => (arm.stack === "grpc-js" ? 0.2 : 0.4),
      2,
    );
    expect(findings.filter(({ strength }) => strength === "clear")).toEqual([]);
    expect(sentences(findings, "too-few-rounds")).toEqual([
      expect.stringMatching(
        /^\[inconclusive\] For one hello call gRPC took 0\.\d\d × the time of REST, but 2 rounds cannot distinguish that from chance\.$/,
      ),
    ]);
  });

  test("a single stack has no comparison", () => {
    expect(
      sentences(
        findingsOf(helloArms("grpc-js"), () => 1),
        "fastest",
      ),
    ).toEqual([]);
  });
});

describe("the gain from the façade", () => {
  const arms = ["grpc-js", "rest-express"].flatMap((stack) =>
    [1, 3, 6].flatMap((attributes) =>
      ["facade", "chatty", "chatty-parallel"].map((variant) =>
        armFor({
          stack,
          title: titles[stack] ?? stack,
          variant,
          factors: { attributes },
          callsPerTask: variant === "facade" ? 1 : attributes,
        }),
      ),
    ),
  );
  const findings = findingsOf(arms, (arm) => {
    const calls = arm.variant === "chatty" ? arm.callsPerTask : 1 + (arm.callsPerTask - 1) / 2;
    return 0.2 * calls + 0.01 * Number(arm.factors["attributes"]);
  });

  test("chatty calls are held against the façade at the most attributes, over every stack", () => {
    expect(sentences(findings, "chatty-against-facade")).toEqual([
      expect.stringMatching(
        /^\[clear\] 6 calls one after the other instead of one façade call: one read of 6 attributes takes 4\.\d\d × as long over gRPC \(95 % interval 4\.\d\d to 4\.\d\d\) and 4\.\d\d × over REST \(4\.\d\d to \d\.\d\d\)\.$/,
      ),
    ]);
  });

  test("calls made at once have a sentence of their own", () => {
    expect(sentences(findings, "chatty-parallel-against-facade")).toEqual([
      expect.stringMatching(
        /^\[clear\] 6 calls at once instead of one façade call: one read of 6 attributes takes 2\.\d\d × as long/,
      ),
    ]);
  });

  test("the break-even count and the cost of one more attribute carry intervals", () => {
    expect(sentences(findings, "break-even")).toEqual([
      expect.stringMatching(
        /^\[clear\] For a read, the façade is faster from 2 attributes on over gRPC and REST: the lines cross at [\d.]+ \(95 % interval [\d.]+ to [\d.]+\) and [\d.]+ \([\d.]+ to [\d.]+\)\.$/,
      ),
    ]);
    expect(sentences(findings, "attribute-cost")).toEqual([
      expect.stringMatching(
        /^\[clear\] One more attribute in a façade read, used or not, costs [\d.]+ µs over gRPC \(95 % interval [\d.]+ to [\d.]+ µs\)/,
      ),
    ]);
  });
});

test("lines that clearly cross below one attribute are read as a façade that is never behind, with what is missing said once", () => {
  const arms = ["grpc-js", "rest-express"].flatMap((stack) =>
    [1, 3, 6].flatMap((attributes) =>
      ["facade", "chatty"].map((variant) =>
        armFor({ stack, title: titles[stack] ?? stack, variant, factors: { attributes }, callsPerTask: 1 }),
      ),
    ),
  );
  const findings = findingsOf(
    arms,
    (arm) => (arm.variant === "facade" ? 0.2 : 0.1 + 0.2 * Number(arm.factors["attributes"])),
    2,
  );
  expect(sentences(findings, "break-even")).toEqual([
    expect.stringMatching(
      /^\[inconclusive\] For a read, the façade looks faster from 1 attribute on over gRPC and REST: the lines cross at 0\.\d+ and 0\.\d+ \(no interval\)\.$/,
    ),
  ]);
  expect(sentences(findings, "chatty-against-facade")).toEqual([
    expect.stringMatching(/takes [\d.]+ × as long over gRPC and [\d.]+ × over REST \(no interval from 2 rounds\)\.$/),
  ]);
});

test("the distance to the floor and CPU of both sides are each said once in a run, the first call once for each study", () => {
  const arms = [
    ...helloArms("grpc-js", "rest-express", "floor"),
    ...["grpc-js", "floor"].map((stack) => armFor({ stack, variant: "facade" })),
  ];
  const run = syntheticRun(arms, shape, (arm, round) => (arm.role === "floor" ? 0.05 : 0.2) * wobble(arm, round));
  const rounds = [0, 1, 2, 3, 4, 5];
  const blocks = arms.flatMap((arm) =>
    rounds.map((round) => ({
      armId: arm.id,
      round,
      block: 0,
      tasks: 10,
      calls: 10,
      failedCalls: 0,
      elapsedMs: 2,
      serverCpuMs: 0.8 + round / 100,
      clientCpuMs: 1.2 + round / 100,
      wireBytes: 1_000,
      connectionsOpened: 0,
    })),
  );
  // The studies take the one cold call of a pair of processes in turn.
  const firstCalls = arms.flatMap((arm) =>
    rounds
      .filter((round) => (arm.study === "hello") === (round % 2 === 0))
      .map((round) => ({ armId: arm.id, round, firstCallMs: 20 + round })),
  );
  const { findings } = analyse({ ...run.facts, blocks, firstCalls }, run.samples);
  expect(sentences(findings, "floor-multiple")).toEqual([
    expect.stringMatching(
      /^\[clear\] Against a raw TCP echo of the bare messages, one hello call takes \d\.\d\d × as long over gRPC \(95 %/,
    ),
  ]);
  expect(sentences(findings, "cpu-share")).toEqual([
    expect.stringMatching(
      /^\[measured\] CPU time of one hello call in the client and the server process: gRPC 12\d µs \(95 % interval [\d.]+ to [\d.]+ µs\) and [\d.]+ µs \([\d.]+ to [\d.]+ µs\); REST/,
    ),
  ]);
  expect(sentences(findings, "first-call")).toEqual([
    expect.stringMatching(
      /^\[measured\] As the first call between fresh processes, one hello call took 22 ms over gRPC \(20 to 24 ms; 1\d\d × a later one\) and 22 ms over REST \(20 to 24 ms; 1\d\d ×\): median and range of 3 starts\.$/,
    ),
    expect.stringMatching(
      /^\[measured\] As the first call between fresh processes, one read took 23 ms over grpc-js \(21 to 25 ms; [\d.]+ × a later one\): median and range of 3 starts\.$/,
    ),
  ]);
  const generators = [{ name: "k6", version: "v1.8.1", segment: "0:1" }];
  const byK6 = { ...run.facts, blocks, firstCalls, environment: { ...run.facts.environment, generators } };
  expect(sentences(analyse(byK6, run.samples).findings, "first-call")[0]).toBe(
    "[measured] As the first call between fresh processes, made by this project's own client before k6 began, one hello call took 22 ms over gRPC (20 to 24 ms) and 22 ms over REST (20 to 24 ms): median and range of 3 starts.",
  );
});

function sizedArms(...sizes: readonly number[]): readonly Arm[] {
  return ["grpc-js", "rest-express"].flatMap((stack) =>
    sizes.map((payloadBytes) =>
      armFor({
        task: "read-payload",
        stack,
        title: titles[stack] ?? stack,
        variant: "facade",
        factors: { payloadBytes },
      }),
    ),
  );
}

test("sizes of an answer are held against each other in pairs of blocks: what is clear for one style and not for another is two sentences", () => {
  const run = syntheticRun(sizedArms(100, 60_000, 70_000, 131_072), shape, (arm, round) => {
    const size = Number(arm.factors["payloadBytes"]);
    const weather = 1 + round;
    const grown = arm.stack === "grpc-js" && size > 65_536 ? 1.5 : 1 + 0.3 * Math.sin(size * (round + 1));
    return weather * grown * wobble(arm, round);
  });
  const { findings, comparisons } = analyse(run.facts, run.samples);
  expect(sentences(findings, "packet-border")).toEqual([
    expect.stringMatching(
      /^\[clear\] From 60 KB to 70 KB of values, over the border of one packet of this link \(65\.5 KB\), one read takes 1\.\d\d × as long over gRPC \(95 %/,
    ),
    expect.stringMatching(
      /^\[inconclusive\] From 60 KB .* no change of the time was found: \d\.\d\d × over REST \(95 %/,
    ),
  ]);
  const families = comparisons.filter(({ kind }) => kind === "size").map(({ family }) => family);
  expect(families).toEqual(Array(4).fill("facade/read-payload/size"));
});

test("weather that moves whole rounds hides no growth, for sizes are paired inside rounds", () => {
  const run = syntheticRun(
    sizedArms(60_000, 70_000),
    shape,
    (arm, round) => (1 + 3 * round) * (Number(arm.factors["payloadBytes"]) > 65_536 ? 1.5 : 1) * wobble(arm, round),
  );
  const { findings } = analyse(run.facts, run.samples);
  expect(sentences(findings, "payload-growth")).toEqual([
    expect.stringMatching(
      /^\[clear\] From 60 KB to 70 KB of values, one read takes 1\.\d\d × as long over gRPC \(95 % interval 1\.\d\d to 1\.\d\d\) and 1\.\d\d × over REST \(1\.\d\d to 1\.\d\d\)\.$/,
    ),
  ]);
  expect(sentences(findings, "packet-border")).toHaveLength(1);
});

test("a border with sizes on one side only has no sentence", () => {
  const findings = findingsOf(sizedArms(100, 60_000), (arm) => 0.2 + Number(arm.factors["payloadBytes"]) / 1e5);
  expect(sentences(findings, "packet-border")).toEqual([]);
  expect(sentences(findings, "payload-growth")).toHaveLength(1);
});
