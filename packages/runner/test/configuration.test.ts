// Settings as parts of configurations, in words, and what a run records of a stack.
import { loadStack } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { sequentialPlan } from "../src/index.ts";
import { serviceSettingsOf, type SettingLevels, settingsText } from "../src/study/configuration.ts";
import { armsOf } from "../src/study/planned-arm.ts";
import type { Task } from "../src/study/study.ts";
import { shortRun, shortStudies, measureWhole } from "./support/short-run.ts";

const power = {
  operation: "roundtrip.v1.MatrixService.Power",
  request: { matrix: { size: 2, elements: [1, 1, 0, 1] }, exponent: 5 },
};

const variants = { single: sequentialPlan(power) };

async function armsWith(
  levels: Pick<Task, "serviceSettings"> & Partial<Pick<Task, "settings">>,
  given: SettingLevels = {},
) {
  const stacks = await Promise.all(["grpc-js", "rest-express"].map((name) => loadStack(name)));
  const options = { targets: [], links: {}, usualLink: undefined, tls: false, settings: given };
  return armsOf(shortStudies({ variants, ...levels, answerKeys: ["power"] }), stacks, options);
}

it("every combination of their levels is one, and without any there is one that sets nothing", () => {
  expect(serviceSettingsOf({})).toEqual([{}]);
  expect(serviceSettingsOf({ "grpc-js": { keepAliveMs: [1, 2] } })).toEqual([{}]);
  expect(serviceSettingsOf({ matrix: { threads: [1, 2, 1], cache: [200, 0] } })).toEqual([
    { matrix: { threads: 1, cache: 200 } },
    { matrix: { threads: 1, cache: 0 } },
    { matrix: { threads: 2, cache: 200 } },
    { matrix: { threads: 2, cache: 0 } },
  ]);
});

it("are plain factors of the arms of every stack, beside settings of their own, and all have to answer alike", async () => {
  const arms = await armsWith({ serviceSettings: { matrix: { threads: [1, 4] } }, settings: { keepAliveMs: [5] } });
  expect(arms.map(({ id, factors, settingDefaults }) => [id, factors, settingDefaults])).toEqual([
    ...[1, 4].map((threads) => [
      `short/hello/grpc-js/single/matrix.threads=${threads}/keepAliveMs=5`,
      { "matrix.threads": threads, keepAliveMs: 5 },
      { keepAliveMs: 0 },
    ]),
    ...[1, 4].map((threads) => [
      `short/hello/rest-express/single/matrix.threads=${threads}`,
      { "matrix.threads": threads },
      undefined,
    ]),
  ]);
  expect(new Set(arms.map(({ answerKey }) => answerKey)).size).toBe(1);
  expect(new Set(arms.map(({ configuration }) => configuration.id)).size).toBe(4);
});

it.each([
  [200, "CACHE_STATUS_HIT"],
  [0, "CACHE_STATUS_BYPASS"],
])("reach the service: with cache %s an answer is %s", async (cache, cacheStatus) => {
  const studies = shortStudies({ variants, answerKeys: ["cacheStatus"], expected: { cacheStatus } });
  const options = await shortRun({ studies, stackNames: ["rest-express"], rounds: 1 });
  const facts = await measureWhole({ ...options, settings: { matrix: { cache: [cache] } } });
  expect(facts).toMatchObject({ status: "complete", arms: [{ factors: { "matrix.cache": cache } }] });
});

it("says of connections what becomes of them, and of all else what was typed", () => {
  expect(settingsText({ keepAlive: false, tlsResumption: true })).toEqual(["new connection", "resumed"]);
  expect(settingsText({ newConnectionPerCall: true })).toEqual(["new connection"]);
  expect(settingsText({ newConnectionPerCall: false, compression: "gzip" })).toEqual([
    "kept connection",
    "compression=gzip",
  ]);
});
