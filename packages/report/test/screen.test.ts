// The first screen of whole runs, from calls through the analysis to the text: what it advises, and what it must not.
import { analyse, analyseDefaults, againstFirst, fromLongForm } from "@roundtrip/analysis";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { armFor, loadedBlock, syntheticRun } from "../../analysis/test/synthetic-run.ts";
import { loadFormat } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";

type Arm = ReturnType<typeof armFor>;

const titles: Readonly<Record<string, string>> = { grpc: "gRPC", rest: "REST", graphql: "GraphQL", floor: "TCP echo" };
const costMs: Readonly<Record<string, number>> = { grpc: 0.5, rest: 0.2, graphql: 0.4, floor: 0.05 };

function hello(...stacks: readonly string[]): readonly Arm[] {
  return stacks.map((stack) =>
    armFor({ study: "hello", task: "hello", stack, title: titles[stack] ?? stack, variant: "single" }),
  );
}

function facade(...stacks: readonly string[]): readonly Arm[] {
  return stacks.flatMap((stack) =>
    [1, 3, 6].flatMap((attributes) =>
      ["facade", "chatty"].map((variant) => {
        const callsPerTask = variant === "facade" ? 1 : attributes;
        return armFor({ stack, title: titles[stack] ?? stack, variant, factors: { attributes }, callsPerTask });
      }),
    ),
  );
}

/** Noise of whole rounds that differs from arm to arm, always the same. */
function noise(arm: Arm, round: number, size: number): number {
  const letters = Array.from(arm.id, (letter) => letter.charCodeAt(0)).reduce((sum, code) => sum + code, 0);
  return Math.exp(size * Math.sin(letters * 7 + round * round * 3 + round));
}

interface Made {
  readonly arms: readonly Arm[];
  readonly noise: number;
  /** Changes what calls cost, by stack. */
  readonly costs?: Readonly<Record<string, number>>;
}

function inputOf({ arms, noise: size, costs = costMs }: Made): ReportInput {
  const run = syntheticRun(arms, { rounds: 6, blocksPerRound: 2, tasksPerBlock: 5 }, (arm, round) => {
    const attributes = Number(arm.factors["attributes"] ?? 1);
    return ((costs[arm.stack] ?? 1) * arm.callsPerTask + 0.002 * attributes) * noise(arm, round, size);
  });
  const blocks = Array.from({ length: 6 }, (_, round) =>
    arms.map((arm, block) => ({
      ...loadedBlock({ armId: arm.id, block, tasks: 10, serverCpuMs: 10 * (costs[arm.stack] ?? 1) * 0.4 }),
      round,
      calls: 10 * arm.callsPerTask,
      wireBytes: 10 * 300 * arm.callsPerTask,
    })),
  ).flat();
  const facts = { ...run.facts, blocks, command: "roundtrip bench" };
  return inputFor(facts, analyse(facts, run.samples));
}

function inputFor(facts: ReportInput["facts"], analysis: ReportInput["analysis"]): ReportInput {
  const files = [{ path: "runs/made/report.html", holds: "this report" }];
  return { facts, analysis, published: [], files, page: { columns: 100, introducer: "" } };
}

function foreign(size: number, rounds = 6): ReportInput {
  const rows = ["before", "after"].flatMap((arm, index) =>
    Array.from({ length: rounds }, (_, round) => round).flatMap((round) =>
      [1, 2, 3].map((sample) => ({
        arm,
        round,
        latencyMs: (1 + 0.5 * index) * Math.exp(size * Math.sin(5 * index + round * round * 3)) + sample / 100,
      })),
    ),
  );
  const { facts, samples } = fromLongForm(rows);
  return inputFor(facts, analyse(facts, samples, { ...analyseDefaults, pairs: againstFirst }));
}

function underLoad(): ReportInput {
  const arms = hello("rest", "grpc").flatMap((arm) => [
    arm,
    ...[100, 200].map((rateHz) =>
      armFor({
        study: "hello",
        task: "hello",
        stack: arm.stack,
        title: arm.title,
        variant: "single",
        load: { loop: "open", pacer: "poisson" },
        factors: { arrivals: "poisson", rateHz },
      }),
    ),
  ]);
  return inputOf({ arms, noise: 0.02 });
}

const styles = ["grpc", "rest", "graphql"];
const everything = [...hello(...styles, "floor"), ...facade(...styles)];

interface Row {
  readonly name: string;
  readonly input: () => ReportInput;
  readonly says: readonly RegExp[];
  readonly not: readonly RegExp[];
}

const tooNoisy = /Too noisy to rank/;
const rows: readonly Row[] = [
  {
    name: "a quiet run",
    input: () => inputOf({ arms: everything, noise: 0.02 }),
    says: [
      /^hello: time and cost of a task, in µs$/m,
      /^REST .* 1$/m,
      /^gRPC .* 2\.\d\d \(2\.\d\d to 2\.\d\d\)$/m,
      /^façade: read, 6 attributes: time and cost of a task, in µs$/m,
      /^REST +6 calls 1\.\d+ ms, one \d+ µs: 5\.\d\d × \(5\.\d\d to \d\.\d\d\)$/m,
      /^- Call the façade where 2 attributes or more are needed: 6 calls instead of one take 5\.\d\d to 5\.\d\d × as long, and one after another wait 100 ms longer over a round trip of 20 ms\./m,
      /^- REST takes the least time for one hello call and one read of 6 attributes\.$/m,
      /^- Over round trips of 1, 20 and 100 ms, in ms: REST 1\.2, 20\.2 and 100; GraphQL 1\.\d+, .*Any style will do from \d[\d.]* ms on \(within 5 %\)\.$/m,
      /^- Not looked at: load.*\. Next: "bench linked" for data that is linked\.$/m,
    ],
    not: [tooNoisy, /cannot tell/],
  },
  {
    name: "a noisy run of styles that cost about the same",
    input: () => inputOf({ arms: everything, noise: 1.2, costs: { grpc: 0.2, rest: 0.2, graphql: 0.21, floor: 0.05 } }),
    says: [
      /^- Too noisy to rank for one hello call( and one read of 6 attributes)?: rerun with --rounds \d+, or on a quiet machine\. Sure: 1 round trip each; bytes [^;]*300[^;]*\.$/m,
    ],
    not: [/least time/, /Any style will do/],
  },
  {
    name: "one style",
    input: () => inputOf({ arms: [...hello("rest"), ...facade("rest")], noise: 0.02 }),
    says: [
      /^- Call the façade where 2 attributes or more are needed: /m,
      /^- Over round trips of 1, 20 and 100 ms, in ms: REST /m,
    ],
    not: [/least time/, tooNoisy, /Any style/],
  },
  {
    name: "the façade only",
    input: () => inputOf({ arms: facade(...styles), noise: 0.02 }),
    says: [/^- REST takes the least time for one read of 6 attributes\.$/m, /Next: "bench network" for 1 to 200 ms\./],
    not: [/hello/, tooNoisy],
  },
  {
    name: "samples of another tool",
    input: () => foreign(0.02),
    says: [/^- before takes the least time\.$/m],
    not: [/distance/, /Not looked at/, /rerun/],
  },
  {
    name: "noisy samples of another tool",
    input: () => foreign(1.5),
    says: [/^- Too noisy to rank: take more rounds, on a quiet machine\.$/m],
    not: [/--budget/, /least time/],
  },
  {
    name: "samples of two rounds",
    input: () => foreign(0.02, 2),
    says: [/^- Too few rounds to rank: take 6 or more\.$/m],
    not: [tooNoisy, /least time/],
  },
  {
    name: "a run under load",
    input: underLoad,
    says: [/^- REST takes the least time for one hello call\.$/m],
    not: [/Not looked at: [^.]*\bload\b/],
  },
];

/** Lines as one text, each paragraph of advice on a line of its own. */
function unwrapped(text: string): string {
  return text.replaceAll(/\n {2}(?=\S)/g, " ");
}

describe.each(rows)("the first screen of $name", ({ input, says, not }) => {
  const rendered = async (): Promise<string> => (await loadFormat("summary")).render(input());

  test("says what follows, and nothing that its intervals do not carry", async () => {
    const text = unwrapped(await rendered());
    for (const pattern of says) expect(text).toMatch(pattern);
    for (const pattern of not) expect(text).not.toMatch(pattern);
    expect(text).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  test("has at most 40 lines of 100 columns", async () => {
    const lines = (await rendered()).trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => stringWidth(line) > 100)).toEqual([]);
  });
});

test("no figure is printed whose interval spans more than a factor of four", async () => {
  const text = await (await loadFormat("summary")).render(inputOf({ arms: everything, noise: 1.2 }));
  const intervals = [...text.matchAll(/× \(([\d.]+) to ([\d.]+)\)/g)].map(
    ([, low, high]) => Number(high) / Number(low),
  );
  expect(intervals.filter((span) => span > 4.05)).toEqual([]);
  expect(text).toMatch(/cannot tell|at least/);
});
