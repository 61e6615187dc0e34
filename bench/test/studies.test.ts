// Studies as a user names them, and what the study of distance does.
import { isCoarse } from "@roundtrip/analysis";
import { armsOf, factsOfArm } from "@roundtrip/runner/parts";
import { defaultStackNames, loadStack } from "@roundtrip/stacks";
import { expect, test } from "vitest";
import { callsText } from "../../packages/report/src/words/ratio-text.ts";
import { loadStudy, loadStudyOfWork, publishedFor, studyGroups, studyNames, type Work } from "../index.ts";

test("a group stands for every study whose name begins with it, so that a new file is in it at once", () => {
  const names = studyNames().filter((name) => name.startsWith("network-"));
  expect(names).toContain("network-distance");
  expect(studyGroups().get("network")).toEqual(names);
});

test("no group has the name of a study", () => {
  expect([...studyGroups().keys()].filter((group) => studyNames().includes(group))).toEqual([]);
});

test("hello and reads of the fewest and the most attributes are never left out, and payloads, writes and the other variants are left out first", async () => {
  const [hello, facade] = await Promise.all([loadStudy("hello"), loadStudy("facade")]);
  const cells = [hello, facade].flatMap(({ tasks }) =>
    tasks.flatMap(({ name, factors, variants, priorities }) =>
      Object.keys(variants).map((variant) => {
        const attributes = name === "read" ? ` ${factors["attributes"]}` : "";
        return { cell: `${name}${attributes} ${variant}`, priority: priorities?.[variant] ?? 1 };
      }),
    ),
  );
  // The floor of hello stays; that of the façade goes with the curve.
  expect([hello.floorPriority, facade.floorPriority]).toEqual([undefined, 2]);
  const byPriority = Map.groupBy(cells, ({ priority }) => priority);
  const named = [1, 2, 3, 4, 5].map((priority) => [
    ...new Set((byPriority.get(priority) ?? []).map(({ cell }) => cell)),
  ]);
  expect(named).toEqual([
    ["hello single", "read 1 facade", "read 1 chatty", "read 6 facade", "read 6 chatty"],
    [2, 3, 4, 5].flatMap((count) => [`read ${count} facade`, `read ${count} chatty`]),
    ["read 6 chatty-parallel", "read 6 together"],
    ["write facade", "write chatty"],
    ["read-payload facade"],
  ]);
});

test.each(studyNames())("every setting that %s varies is one of a stack that does the task", async (name) => {
  const { tasks, stacks: own } = await loadStudy(name);
  const named = typeof own === "object" ? [...own, "floor"] : defaultStackNames();
  const stacks = await Promise.all(named.map((stack) => loadStack(stack)));
  const missing = tasks.flatMap(({ settings, styles }) => {
    const doing = stacks.filter(({ style }) => styles?.includes(style) ?? true);
    const known = doing.flatMap((stack) => stack.settings.map((setting) => setting.name));
    return Object.keys(settings).filter((setting) => !known.includes(setting));
  });
  expect(missing).toEqual([]);
});

test("only levels of the same answer have break-evens: not streams of other lengths, nor selections of other fields", async () => {
  const named = await Promise.all(
    ["streaming", "selection", "linked", "facade"].map(async (name) => {
      const stacks = await Promise.all(["grpc-js", "rest-express"].map((stack) => loadStack(stack)));
      const arms = armsOf([await loadStudy(name)], stacks).map(factsOfArm);
      return [name, [...new Set(arms.map(({ breakEvensOver }) => breakEvensOver?.join(" ")))]];
    }),
  );
  expect(named).toEqual([
    ["streaming", [""]],
    ["selection", [""]],
    ["linked", ["invoices levels fields"]],
    ["facade", [undefined]],
  ]);
});

test("all studies of the network ask for five minutes together", async () => {
  const studies = await Promise.all((studyGroups().get("network") ?? []).map(loadStudy));
  expect(studies.reduce((sum, { budgetMs }) => sum + (budgetMs ?? 60_000), 0)).toBeLessThanOrEqual(300_000);
});

test("callers who think are those of 1996: 1, 3, 6 and 9 of them, with calls of 0 to 12 packets, and the model's own call more than the others", async () => {
  const { tasks } = await loadStudy("concurrency");
  const levels = (name: string): readonly unknown[] => [
    ...new Set(tasks.map(({ factors, load, callers }) => ({ ...factors, ...load?.pacer.factors, callers })[name])),
  ];
  expect(levels("callers")).toEqual([1, 3, 6, 9]);
  expect(levels("packets")).toEqual([0, 1, 3, 12]);
  expect(levels("thinkMs")).toEqual([0, 0.5, 2, 12]);
  // Who does not think feeds the model alone, and with several calls at once; nobody else does.
  const bursts = tasks.filter(({ variants }) => Object.hasOwn(variants, "burst"));
  expect(bursts.map(({ callers, load }) => [callers, load?.pacer.factors["thinkMs"]])).toEqual(
    levels("packets").map(() => [1, 0]),
  );
  for (const { callers, tasksPerRound, tasksPerBlock, variants } of tasks) {
    const isModelInput = Object.hasOwn(variants, "burst");
    expect(tasksPerRound / tasksPerBlock).toBe(isModelInput ? 3 : callers === 1 ? 2 : 1);
    expect(tasksPerRound).toBeGreaterThanOrEqual(isModelInput ? 60 : 24);
  }
  expect(tasks).toHaveLength(levels("callers").length * levels("packets").length * levels("thinkMs").length);
});

async function cellsOf(study: string): Promise<readonly string[]> {
  const { tasks } = await loadStudy(study);
  return tasks.map(({ factors, callers, load }) =>
    JSON.stringify([factors["packets"], callers, load?.pacer.factors["thinkMs"]]),
  );
}

test("concurrency-grid has every size of 1996, and every cell of concurrency among its own", async () => {
  const [some, all] = await Promise.all([cellsOf("concurrency"), cellsOf("concurrency-grid")]);
  expect(all).toEqual(expect.arrayContaining([...some]));
  expect(new Set(all).size).toBe(6 * 4 * 7);
  expect(publishedFor("concurrency-grid").map(({ name }) => name)).toEqual(["Khandker and Teorey 1996"]);
  expect(new Set((await loadStudy("concurrency-grid")).tasks.map(({ factors }) => factors["packets"]))).toEqual(
    new Set([0, 1, 2, 3, 6, 12]),
  );
});

const step = { operation: "shop.v1.Shop.GetThing", request: { id: "1" } };

function workOf(name: string, steps: number): Work {
  const single = { order: "sequential", driver: "own", steps: Array.from({ length: steps }, () => step) } as const;
  return { name, factors: {}, settings: {}, links: [], variants: { single }, answerKeys: [], expected: {}, setup: [] };
}

const works = [workOf("get", 1), workOf("get-twice", 2)];

test("three studies measure any tasks, each beside one caller who feeds the models", async () => {
  const found = await Promise.all(studyNames().map(async (name) => ({ name, ofWork: await loadStudyOfWork(name) })));
  const taking = found.flatMap(({ name, ofWork }) => (ofWork === undefined ? [] : [{ name, ofWork }]));
  expect(taking.map(({ name }) => name)).toEqual(["concurrency", "load-calls", "load-rates"]);
  for (const { ofWork } of taking) {
    const { tasks, budgetMs } = ofWork.study(works, { ratesHz: [50], callers: [3], thinkMs: [9] });
    const operations = tasks.flatMap(({ variants }) => Object.values(variants).flatMap((plan) => plan.steps));
    expect(new Set(operations.map(({ operation }) => operation))).toEqual(new Set([step.operation]));
    const alone = tasks.filter(
      ({ callers, load }) =>
        callers === 1 && load?.pacer.loop !== "open" && (load?.pacer.factors["thinkMs"] ?? 0) === 0,
    );
    expect(alone.map(({ name }) => name)).toEqual(["get", "get-twice"]);
    expect(budgetMs).toBeGreaterThan(0);
  }
});

test("the levels of load are the user's, and a single call is also made several times at once", async () => {
  const [rates, callers] = await Promise.all(["load-rates", "concurrency"].map(loadStudyOfWork));
  const atRates = rates?.study(works.slice(0, 1), { ratesHz: [5, 5_000] }).tasks ?? [];
  expect(atRates.map(({ load, tasksPerRound }) => [load?.pacer.factors["rateHz"], tasksPerRound])).toEqual([
    [undefined, 200],
    [5, 36],
    [5_000, 1_500],
  ]);
  const cells = callers?.study(works, { callers: [4], thinkMs: [7] }).tasks ?? [];
  expect(
    cells.map(({ name, callers: among, load, variants }) => [
      name,
      among,
      load?.pacer.factors["thinkMs"],
      Object.keys(variants).join(" "),
    ]),
  ).toEqual([
    ["get", 1, 0, "single burst"],
    ["get", 1, 7, "single"],
    ["get", 4, 0, "single"],
    ["get", 4, 7, "single"],
    ["get-twice", 1, 0, "single"],
    ["get-twice", 1, 7, "single"],
    ["get-twice", 4, 0, "single"],
    ["get-twice", 4, 7, "single"],
  ]);
});

test("sentences have words for every way to do what a façade or a stream does", async () => {
  const studies = await Promise.all(studyNames().map(loadStudy));
  const tasks = studies.flatMap((study) => [...Map.groupBy(study.tasks, ({ name }) => name).values()]);
  const ways = tasks
    .map((task) => new Set(task.flatMap(({ variants }) => Object.keys(variants))))
    .flatMap((variants) => ([...variants].some(isCoarse) ? [...variants].filter((variant) => !isCoarse(variant)) : []));
  expect(ways).toContain("batched-10");
  // A name in quotes stands for a way without words.
  expect(ways.filter((variant) => callsText({ variant, callsPerTask: 2 }).includes("“"))).toEqual([]);
});

test("a server without edges is asked for no document over them", async () => {
  const [study, stack] = await Promise.all([loadStudy("linked"), loadStack("graphql-apollo")]);
  const variantsWith = (edges: boolean) => {
    const settings = { "graphql-apollo": { edges: [edges] } };
    const options = { targets: [], settings, links: {}, usualLink: undefined, tls: false };
    return new Set(armsOf([study], [stack], options).map(({ variant }) => variant));
  };
  expect([...variantsWith(true)]).toContain("query");
  expect([...variantsWith(false)]).toEqual([...variantsWith(true)].filter((variant) => variant !== "query"));
});
