// `--arrivals`: tasks that begin on a schedule, at a rate or as they once came, from the command line to the samples.
import { readRun } from "@roundtrip/runs/read";
import { InvalidArgumentError } from "commander";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { typedArrivals } from "../src/bench/arrivals.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal } from "./support/outcomes.ts";

const see = "(see roundtrip bench --help)";
const form = "must be poisson:RATE, constant:RATE, ramp:FROM..TO/DURATION, or a file with a moment in ms on each line";

describe("arrivals as they are typed", () => {
  it("are a rate, at random or evenly, or a ramp with as many tasks as are expected on it", () => {
    expect(typedArrivals("poisson:200")).toMatchObject({
      tasks: undefined,
      pacer: { factors: { arrivals: "poisson", rateHz: 200 } },
    });
    expect(typedArrivals("constant:0.5").pacer.factors).toEqual({ arrivals: "constant", rateHz: 0.5 });
    expect(typedArrivals("ramp:0.5..99.5/2s")).toMatchObject({
      tasks: 100,
      pacer: { factors: { fromHz: 0.5, toHz: 99.5, overMs: 2_000 } },
    });
  });

  const mistakes: readonly (readonly [value: string, message: string])[] = [
    ["poisson:0", "a rate must be finite and above 0, got 0 a second"],
    ["constant:many", form],
    ["ramp:1..0/2s", "the last rate of a ramp must be finite and above 0, got 0 a second"],
    ["ramp:1..5/2", "must be a duration above 0 with its unit, such as 60s, 2m or 500ms"],
    ["posson:5", `${form}; as a file it cannot be read (no such file or directory)`],
  ];

  it.each(mistakes)("%s are refused in one line", (value, message) => {
    expect(() => typedArrivals(value)).toThrow(new InvalidArgumentError(message));
  });

  it.each([
    ["0\nabc\n", 'line 2, "abc", is no moment in milliseconds'],
    ["# nothing but this\n\n", "the file holds no moments"],
    ["5\n3\n", "the recording bad.txt: start 1, 3 ms, is before the previous one"],
    ["-1\n", "the recording bad.txt: start 0, -1 ms, is not a moment"],
  ])("a recording that holds %j is refused by its place", async (text, message) => {
    const path = join(emptyFolder(), "bad.txt");
    await writeFile(path, text);
    expect(() => typedArrivals(path)).toThrow(new InvalidArgumentError(message));
  });
});

describe("bench --arrivals", () => {
  it("is refused by studies that are about a load of their own, and for more calls than were recorded", async () => {
    for (const study of ["load-rates", "load-calls"]) {
      const outcome = await run(`bench ${study} --arrivals poisson:5`.split(" "));
      expect(refusal(outcome)).toBe(`--arrivals is for studies without a load of their own, which ${study} has`);
    }
    const cwd = emptyFolder();
    await writeFile(join(cwd, "log.txt"), "0\n1\n");
    const short = await run("bench hello --arrivals log.txt --calls 3".split(" "), { cwd });
    expect(short.stderr).toBe("roundtrip: the recording of --arrivals has 2 moments, fewer than --calls 3\n");
    const typed = await run("bench hello --arrivals poisson:x".split(" "));
    expect(typed.stderr).toBe(`roundtrip: --arrivals ${form}, got "poisson:x" ${see}\n`);
  });

  describe("with a recording", () => {
    const moments = [0, 3.5, 3.5, 20, 40, 41];
    const cwd = emptyFolder();
    let status: number;
    beforeAll(async () => {
      await writeFile(join(cwd, "log.txt"), `# a morning\n${moments.join("\n")}\n`);
      const words = "bench hello --arrivals log.txt --rounds 1 --stack rest-express --out run --quiet";
      ({ status } = await run(words.split(" "), { cwd }));
    });

    it("begins every stack's tasks when they were recorded to, all in each round", async () => {
      expect(status).toBe(0);
      const { facts, samples } = await readRun(join(cwd, "run"));
      expect(facts.arms.map(({ factors }) => factors)).toEqual(
        facts.arms.map(() => ({ arrivals: "recorded", recording: "log.txt" })),
      );
      expect(facts.arms.length).toBe(2);
      facts.arms.forEach(({ role }, arm) => {
        const starts = Array.from({ length: samples.length }, (_call, row) => row)
          .filter((row) => samples.arm[row] === arm)
          .toSorted((one, other) => (samples.task[one] ?? 0) - (samples.task[other] ?? 0))
          .map((row) => samples.intendedAtNs[row] ?? Number.NaN);
        const sinceMs = starts.map((atNs) => (atNs - (starts[0] ?? 0)) / 1e6);
        // The floor makes half as many calls as the styles everywhere.
        expect(sinceMs).toHaveLength(role === "floor" ? moments.length / 2 : moments.length);
        for (const [task, atMs] of sinceMs.entries()) expect(atMs).toBeCloseTo(moments[task] ?? Number.NaN, 1);
      });
    });
  });
});
