// Published figures and claims belong to arms: a row or a selector that no arm of its study has would never be shown or judged.
import type { JsonObject } from "@bufbuild/protobuf";
import { isOfSeries, judgedArms, type Metric, type TestedFigures } from "@roundtrip/analysis";
import { armsOf, factsOfArm } from "@roundtrip/runner/parts";
import type { Arm, ArmSelector, ArmTest, PublishedClaim, PublishedFigures, Scalar } from "@roundtrip/runs";
import { defaultStackNames, inProcessStack, loadStack } from "@roundtrip/stacks";
import { expect, test } from "vitest";
import { loadStudy, paperGroups, publishedFor, studyNames } from "../index.ts";

interface Metrics {
  readonly metrics?: readonly string[];
  readonly toMetrics?: readonly string[];
}
type Properties = Readonly<Record<string, Scalar>>;

async function armsOfStudy(study: string): Promise<readonly Arm[]> {
  const loaded = await loadStudy(study);
  const own = typeof loaded.stacks === "object" ? loaded.stacks : defaultStackNames();
  const stacks = await Promise.all(own.map((name) => loadStack(name)));
  return armsOf([loaded], [...stacks, await inProcessStack()]).map(factsOfArm);
}

async function propertiesOf(study: string): Promise<readonly Properties[]> {
  const arms = await armsOfStudy(study);
  return arms.map(({ task, style, variant, factors }) => ({ task, style, variant, ...factors }));
}

/** Six rounds of these arms in which all metrics of the test are 1, so that only missing arms leave a claim without a cell. */
function figuresOf(arms: readonly Arm[], { metrics: named = [], toMetrics = [] }: Metrics): TestedFigures {
  const metrics = ["latencyMs", ...named, ...toMetrics] as Metric[];
  return {
    arms,
    comparisons: [],
    summaries: arms.flatMap(({ id }) =>
      metrics.map((metric) => ({
        armId: id,
        metric,
        mean: 1,
        meanLow: 0.9,
        meanHigh: 1.1,
        roundMeans: [1, 1, 1, 1, 1, 1],
      })),
    ),
    roundTrips: arms
      .filter(({ factors }) => factors["rttMs"] !== undefined)
      .map(({ id }) => ({ armIds: [id], isFirstCall: false, perCall: 1, low: 0.9, high: 1.1 })),
  };
}

function has(arms: readonly Properties[], selector: ArmSelector): boolean {
  return arms.some((arm) => Object.entries(selector).every(([name, value]) => (arm[name] ?? "") === value));
}

function selectorsOf({ claims }: PublishedFigures): readonly ArmSelector[] {
  return claims.flatMap(({ test: decides }) => {
    switch (decides.kind) {
      case "order":
        return decides.arms;
      case "ratio":
        return [decides.of, decides.to];
      case "growth":
        return [decides.of];
      case "round-trips":
        return [decides.of, ...(decides.beyond === undefined ? [] : [decides.beyond])];
      default:
        return [];
    }
  });
}

const repeating = studyNames().filter((study) => publishedFor(study).length > 0);

test.each(repeating)("%s has an arm for every selector of its claims, and for every published row", async (study) => {
  const arms = await propertiesOf(study);
  const published = publishedFor(study);
  expect(published.flatMap(selectorsOf).filter((selector) => !has(arms, selector))).toEqual([]);
  // `concurrency` has only some levels of the table that concurrency-table has whole.
  if (study === "concurrency" || study === "concurrency-grid" || study === "hello") return;
  const rows = published.flatMap((figures) => figures.rows);
  const missing = rows.filter(
    ({ task, style, variant, factors }) =>
      !has(arms, { ...(task === null ? {} : { task }), ...(style === null ? {} : { style }), variant, ...factors }),
  );
  expect(missing).toEqual([]);
});

function isOfArms(decides: PublishedClaim["test"]): decides is ArmTest {
  return decides.kind !== "elsewhere" && !isOfSeries(decides);
}

test.each(repeating)("%s has a cell for every claim, by the rules of a report", async (study) => {
  const arms = await armsOfStudy(study);
  const open = publishedFor(study).flatMap(({ claims }) =>
    claims.flatMap(({ found, test: decides }) =>
      isOfArms(decides) && judgedArms(figuresOf(arms, decides), study, decides) === null ? [found] : [],
    ),
  );
  expect(open).toEqual([]);
});

test("a publication's studies are those of its claims, and take five minutes at most", async () => {
  expect([...paperGroups().keys()]).toEqual(["paper:1996", "paper:2009", "paper:2010", "paper:2015", "paper:2020"]);
  for (const studies of paperGroups().values()) {
    // oxlint-disable-next-line no-await-in-loop
    const loaded = await Promise.all(studies.map(loadStudy));
    expect(loaded.reduce((sum, { budgetMs = 57_000 }) => sum + budgetMs, 0)).toBeLessThanOrEqual(300_000);
    expect(studies.filter((study) => publishedFor(study).every(({ claims }) => claims.length === 0))).toEqual([]);
  }
});

function rowsOf(study: string): PublishedFigures["rows"] {
  return publishedFor(study).flatMap(({ rows }) => rows);
}

test("the studies of 2010, which share servers, give no customer two sizes", async () => {
  const studies = await Promise.all((paperGroups().get("paper:2010") ?? []).map(loadStudy));
  const customers = studies.flatMap(({ tasks }) =>
    tasks.flatMap(({ setup }) =>
      setup.map((step) => {
        const request = step.request as JsonObject;
        const { id = null, address = null } = (request["customer"] ?? request) as JsonObject;
        return [id, address] as const;
      }),
    ),
  );
  expect(customers.length).toBeGreaterThan(0);
  expect(new Set(customers.map((customer) => JSON.stringify(customer))).size).toBe(
    new Set(customers.map(([id]) => id)).size,
  );
});

test("figures are converted to milliseconds per task", () => {
  expect(rowsOf("facade")[0]).toMatchObject({
    meanMs: expect.closeTo(0.995, 9),
    roundMeansMs: [1.32, 1.06, 0.87, 0.88, 0.94, 0.9],
  });
  expect(rowsOf("hosts")[0]).toMatchObject({ meanMs: 1_000 / 258, factors: { rttMs: 1, tls: false, echoes: false } });
  expect(rowsOf("hosts-windows")[0]).toMatchObject({
    meanMs: null,
    counted: { metric: "pausesPerStream", value: 3 },
    printed: { gapMs: 200 },
    factors: { gapMs: 40, receiveWindowBytes: 262_144 },
  });
  expect(rowsOf("hello-styles")[0]).toMatchObject({ meanMs: 2.334, stddevMs: 1.19, iterations: 500 });
  expect(rowsOf("concurrency-table")[3]).toMatchObject({
    factors: { packets: 1, callers: 3, thinkMs: 0.17 },
    printed: { callers: 3, thinkMs: 3 },
    predictedMs: 10.46,
    meanMs: 10.1,
  });
});
