// `roundtrip predict` as a user calls it: figures, pictures, and every mistake reported in one line.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

const see = "(see roundtrip predict --help)";
const network = {
  population: 4,
  thinkMs: 20,
  stations: [{ name: "CPU", demandMs: 5 }],
};
const demands = JSON.stringify(network);

interface Point {
  readonly rateHz: number;
  readonly at: number;
  readonly utilisation: number;
  readonly prediction: {
    readonly responseMs: number;
  } | null;
  readonly population: number;
  readonly thinkMs: number;
}

interface Document {
  readonly model: string;
  readonly points: readonly Point[];
  readonly capacityHz: number;
  readonly bounds: unknown;
}

async function predicted(commandLine: string, cwd = emptyFolder()): Promise<Document> {
  return JSON.parse(printed(await run(["predict", ...commandLine.split(" "), "--json"], { cwd }))) as Document;
}

describe.concurrent("roundtrip predict", () => {
  it("prints a table of M/M/1, and the same as JSON", async () => {
    const { stdout } = await run("predict mm1 --load rate=80 --service-ms 10".split(" "));
    expect(stdout).toMatch(
      /^M\/M\/1: response time by arrivals per second, in ms \(10 ms of exponential service, 1 server\)\n/,
    );
    expect(stdout).toMatch(/\n +80 +80 % +80 % +3\.20 +40\.0 +50\.0 +34\.7 +150 +230\n/);
    expect(await predicted("mm1 --load rate=80 --service-ms 10")).toMatchObject({
      model: "mm1",
      capacityHz: 100,
      points: [{ rateHz: 80, utilisation: 0.8, simulated: null }],
    });
  });

  it("sweeps over rates, and says from which on nothing can be predicted", async () => {
    const { points } = await predicted("mmc --load rate=100..400..100,350 --service-ms 10 --servers 4");
    expect(points.map(({ rateHz, prediction }) => [rateHz, prediction === null])).toEqual([
      [100, false],
      [200, false],
      [300, false],
      [350, false],
      [400, true],
    ]);
    const { stdout } = await run("predict mmc --load rate=100..400..100 --service-ms 10 --servers 4".split(" "));
    expect(stdout).toMatch(/\n +400 +100 %( +–){7}\n/);
    expect(stdout).toContain("From 400 per second on the queue grows without end: there is no finite response time.");
  });

  it("analyses the network of a file, for other populations and think times than the file's too", async () => {
    const cwd = folderWith({ "demands.json": demands });
    const [asGiven, swept, thinking] = await Promise.all([
      predicted("mva --file demands.json", cwd),
      predicted("mva --file demands.json --load callers=1..9..4", cwd),
      predicted("mva --file demands.json --load callers=2,think=0,50", cwd),
    ]);
    expect(asGiven).toMatchObject({ points: [{ prediction: { approximations: [] } }] });
    expect(swept.points.map(({ population }) => population)).toEqual([1, 5, 9]);
    expect(thinking.points.map(({ population, thinkMs }) => [population, thinkMs])).toEqual([
      [2, 0],
      [2, 50],
    ]);
  });

  it("keeps figures and pictures in a directory", async () => {
    const cwd = folderWith({ "demands.json": demands });
    const [open, closed] = await Promise.all([
      run("predict mm1 --load rate=80 --service-ms 10 --out open".split(" "), { cwd }),
      run("predict mva --file demands.json --out closed/here".split(" "), { cwd }),
    ]);
    expect(open.stdout).toMatch(/\n\nopen\/prediction\.json\nopen\/response-time\.svg\n$/);
    expect(closed.stdout).toMatch(/\n\nclosed\/here\/prediction\.json\nclosed\/here\/round-trip\.svg\n$/);
    expect(readFileSync(join(cwd, "open/response-time.svg"), "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(JSON.parse(readFileSync(join(cwd, "closed/here/prediction.json"), "utf8"))).toMatchObject({ model: "mva" });
  });
});

const numbers = "must be up to 200 numbers above 0, such as 80 or 10,20,50 or 10..200..10";

const mistakes: readonly (readonly [commandLine: string, message: string])[] = [
  ["", "give a model (mm1, mmc, mva), or a run with --from"],
  ["mm1", "mm1 needs --load rate, --service-ms; --load rate is missing"],
  ["mm1 --load rate=80", "mm1 needs --load rate, --service-ms; --service-ms is missing"],
  ["mm1 --load rate=80 --service-ms 1 --servers 2", "--servers is for mmc, not for mm1"],
  ["mm1 --load rate=1..1000000 --service-ms 10", `--load "rate=1..1000000": rate ${numbers} ${see}`],
  ["mm1 --load rate=10 --service-ms NaN", `--service-ms must be a number above 0, such as 10 or 0.4, got "NaN" ${see}`],
  [
    "mm1 --load rate=100 --service-ms 10",
    "100 arrivals per second of 10 ms each are 100 % of what 1 server can carry, and the queue would grow without end; " +
      "stay below 100 per second, shorten the service, or use mmc with several servers",
  ],
  ["mm1 --load rate=1..60 --service-ms 1 --simulate", "at most 50 rates can be simulated, and --load rate has 60"],
  ["mva --file /dev/zero", "cannot read /dev/zero: it is a device, not a file"],
  [
    "mva --file prediction.json --out .",
    "prediction.json would be overwritten, and this command reads it; choose another path",
  ],
  [
    "mva --file broken.json",
    "broken.json is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
  ],
  ["mva --file wrong.json", "wrong.json: population is -3; it must be a whole number from 1 to 1000000000"],
  [
    "mva --file demands.json --load callers=1..3,think=1..3",
    "give several values to --load callers or to --load think, not to both",
  ],
  [
    "mva --file demands.json --load callers=30000000",
    "exact mean value analysis of 30,000,000 callers at 1 station would take too long; use fewer callers",
  ],
];

describe("a mistake on the command line", () => {
  const cwd = folderWith({
    "demands.json": demands,
    "broken.json": "{]",
    "prediction.json": demands,
    "wrong.json": JSON.stringify({ ...network, population: -3 }),
  });

  it.concurrent.each(mistakes)("predict %s", async (commandLine, message) => {
    const words = commandLine.split(" ").filter((word) => word !== "");
    expect(refusal(await run(["predict", ...words], { cwd }))).toBe(message);
  });

  it("leaves nothing behind", async () => {
    const { status } = await run("predict mm1 --load rate=100 --service-ms 10 --out left".split(" "), { cwd });
    expect([status, existsSync(join(cwd, "left"))]).toEqual([64, false]);
  });

  it("names a place that cannot be written", async () => {
    const { status, stderr } = await run("predict mm1 --load rate=10 --service-ms 10 --out broken.json".split(" "), {
      cwd,
    });
    expect(status).toBe(69);
    expect(stderr).toMatch(/^roundtrip: cannot write broken\.json\/\S+: [^\n]+\n$/);
  });
});
