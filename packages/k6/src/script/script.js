// What k6 runs: one scenario for each cell of plan.json. Task n of a cell does what the plan says of it, when the plan says, whichever instance
// and virtual user it falls to; each of its calls is timed here and told with its outcome. Runs on k6 1.x and 2.x; README.md says how.
import { sleep } from "k6";
import { SharedArray } from "k6/data";
import exec from "k6/execution";
import { Counter, Gauge, Trend } from "k6/metrics";
import { doTask, readySteps, serverAt } from "./calls.js";

// The plan is parsed once for all virtual users; each is given a copy of what it reads, so that all read little.
let parsed;
function plan() {
  parsed = parsed || planOfRound();
  return parsed;
}

/** The round that is to be done (`-e ROUND=2`; the first without it), with what all rounds share. */
function planOfRound() {
  const { rounds, ...shared } = JSON.parse(open("./plan.json"));
  const wanted = __ENV.ROUND ? rounds.find(({ round }) => round + 1 === Number(__ENV.ROUND)) : rounds[0];
  if (wanted) return { ...shared, ...wanted };
  throw new Error(`there is no round ${__ENV.ROUND}: plan.json has ${rounds.map(({ round }) => round + 1).join(", ")}`);
}
const [head] = new SharedArray("head", () => {
  const { planHash, contractHash, seed, round, studies, servers, cells: planned } = plan();
  const setupCalls = servers.reduce((sum, { setup: steps }) => sum + steps.length, 0);
  const places = servers.map(({ id, kind, variable, usual }) => ({ id, kind, variable, usual }));
  const { beginsMs, mostMs } = planned[planned.length - 1];
  return [{ planHash, contractHash, seed, round, studies, places, setupCalls, endsMs: beginsMs + mostMs + 100 }];
});
const scenarios = new SharedArray("scenarios", () =>
  plan().cells.map(({ name, tasks, callers, startsMs, beginsMs, mostMs }) => ({
    name,
    vus: callers,
    iterations: tasks,
    startTime: `${startsMs}ms`,
    // k6 takes no less than a second; who is later than the cell's end does nothing any more.
    maxDuration: `${Math.max(1000, beginsMs - startsMs + mostMs)}ms`,
  })),
);
const setups = new SharedArray("setups", () => plan().servers.map(({ id, setup: steps }) => ({ server: id, steps })));
// Where the requests of each step begin among all of the plan: a virtual user reads those that it makes, and no others.
const works = new SharedArray("works", () => {
  let first = 0;
  return plan().arms.map(({ server, steps, sets }) => {
    const placed = steps.map(({ requests: own, times }) => {
      const step = { first, count: own.length, times };
      first += own.length;
      return step;
    });
    return { server, steps: placed, sets };
  });
});
const requests = new SharedArray("requests", () =>
  plan().arms.flatMap(({ steps }) => steps.flatMap(({ requests: own }) => own)),
);
// With more, a third of a core and more would go into waiting; and a process that is busy wakes up often enough.
const mostExactPerMs = 0.6;
// Where the schedule of a cell begins among all moments of the plan, and which of the works is its own.
const cells = new SharedArray("cells", () => {
  const { arms, cells: planned } = plan();
  const workOf = Object.fromEntries(arms.map(({ facts }, index) => [facts.id, index]));
  let firstMoment = 0;
  return planned.map(({ armId, tasks, callers, beginsMs, mostMs, arrivalsMs, pausesMs }) => {
    const loop = arrivalsMs ? "open" : pausesMs ? "thinking" : "closed";
    const lengthMs = arrivalsMs ? arrivalsMs[tasks - 1] : (pausesMs || []).reduce((sum, ms) => sum + ms, 0) / callers;
    const isExact = tasks <= lengthMs * mostExactPerMs;
    const cell = { work: workOf[armId], callers, beginsMs, endsMs: beginsMs + mostMs, loop, isExact, firstMoment };
    firstMoment += (arrivalsMs || pausesMs || []).length;
    return cell;
  });
});
const moments = new SharedArray("moments", () =>
  plan().cells.flatMap(({ arrivalsMs, pausesMs }) => arrivalsMs || pausesMs || []),
);
parsed = undefined;

export const options = {
  scenarios: Object.fromEntries(
    scenarios.map(({ name, ...rest }) => [
      name,
      { executor: "shared-iterations", exec: "nextTask", gracefulStop: "0s", ...rest },
    ]),
  ),
  // Verdicts are made of all instances' samples together: no instance has thresholds of its own.
  systemTags: ["scenario"],
  setupTimeout: "1h",
  teardownTimeout: "1h",
  userAgent: "",
};

/** A call: milliseconds from before it is made until its answer is there. */
const call = new Trend("roundtrip_call", true);
/** A task that is done unmeasured, so that a virtual user is connected when its first moment comes. */
const untimed = new Counter("roundtrip_untimed");
/** An instance of k6: its value is T0. */
const instance = new Gauge("roundtrip_instance");

const servers = Object.fromEntries(head.places.map((place) => [place.id, serverAt(place)]));

// What there is to do before T0, by the first instance, unless whoever started the servers has done it: `-e PREPARED=1`.
const isPrepared = Boolean(__ENV.PREPARED);
const warmUpMs = Number(__ENV.WARM_UP_MS || 3000);
const preparingMs = isPrepared ? 0 : warmUpMs + head.setupCalls * 10;

// Of this virtual user: the instance's clock, and the cell that it is in.
let clock;
let clockMs = 0;
let current = { name: "" };

/** Milliseconds from T0, finer than those of Date.now(). */
const now = () => clock.currentTestRunDuration + clockMs;
const nobody = () => undefined;

/**
 * Sleeps, and looks at the clock for the last part of a millisecond: timers of Go end on whole ones where nothing else wakes it up.
 * @param isExact false where so many wait that looking would take the processor from their answers
 */
function waitUntil(atMs, isExact = true) {
  const leftMs = atMs - now();
  const sleptMs = isExact ? Math.floor(leftMs) : leftMs;
  if (sleptMs > 0) sleep(sleptMs / 1000);
  while (now() < atMs);
}

/** What an arm does, made ready. */
function workAt({ server, steps, sets }) {
  const placed = steps.map(({ requests: own, first, count, times }) =>
    own === undefined
      ? { requestAt: (place) => requests[first + place], count, times }
      : { requestAt: (place) => own[place], count: own.length, times },
  );
  return { server: servers[server], steps: readySteps(servers[server], placed), sets };
}

/** The moment that all else is counted from, in milliseconds of the time of day: one that instances agree on without asking each other. */
function chooseT0() {
  if (__ENV.T0) return Number(__ENV.T0);
  const stepMs = Number(__ENV.T0_STEP_MS || 10000);
  return Math.ceil((Date.now() + Number(__ENV.T0_LEAD_MS || 2000 + preparingMs)) / stepMs) * stepMs;
}

/** Hears of a call on which all that follows rests. */
function requireAnswer({ variable, address }) {
  return (_step, _sentMs, _endedMs, { outcome }) => {
    if (outcome === "OK") return;
    throw new Error(
      `a call to ${address} ended with ${outcome}: is the right server there, and new? -e ${variable}=ADDRESS`,
    );
  };
}

/** Brings servers to where the studies begin, and has them do every task for a while: the code of a server that was just started is cold. */
async function prepare() {
  for (const { server, steps } of setups) {
    const work = workAt({ server, steps, sets: steps.map((_, index) => [index]) });
    await doTask(work, 0, now, requireAnswer(work.server));
  }
  const all = works.map(workAt);
  const endMs = now() + warmUpMs;
  for (let task = 0; now() < endMs; task += 1) {
    const work = all[task % all.length];
    await doTask(work, task, now, requireAnswer(work.server));
  }
}

/** Once in each instance: agrees on T0, finds the time of day of its fine clock, and waits. Scenarios start when it returns. */
export async function setup() {
  const t0 = chooseT0();
  // Date.now() has whole milliseconds: the moment at which it goes on is known better.
  const before = Date.now();
  while (Date.now() === before);
  clock = exec.instance;
  clockMs = Date.now() - clock.currentTestRunDuration - t0;
  const segment = exec.test.options.executionSegment || "0:1";
  if (!isPrepared && segment.startsWith("0:")) await prepare();
  if (!(now() < 0)) throw new Error(`T0 was over before this instance was ready: give a T0_LEAD_MS of more`);
  instance.add(t0, {
    plan: head.planHash,
    contract: head.contractHash,
    seed: String(head.seed),
    round: String(head.round),
    studies: head.studies.join(","),
    segment,
    version: __ENV.K6_VERSION || "",
  });
  waitUntil(0);
  return { clockMs, t0 };
}

/** Keeps the process there until its last cell is over, with `-e STAY=1`: whoever started it reads what it cost. */
export function teardown(data) {
  // An instance has no fine clock any more.
  const leftMs = data.t0 + head.endsMs - Date.now();
  if (__ENV.STAY && leftMs > 0) sleep(leftMs / 1000);
}

/** Tells one call: a sample with its outcome, and beside it what is different for each. */
function tell(task, step, sentMs, endedMs, { outcome, ...others }, dueMs) {
  const { metadata } = exec.vu.metrics;
  const told = { task, step, at: sentMs, ...others, ...(dueMs === undefined ? {} : { due: dueMs }) };
  const names = Object.keys(told);
  for (const name of names) metadata[name] = String(told[name]);
  call.add(endedMs - sentMs, { outcome });
  // k6's own samples of the next call would carry it.
  for (const name of names) delete metadata[name];
}

/** Goes over to another cell. */
async function enter(name, task) {
  const cell = cells[Number(name.slice(1))];
  current = { name, ...cell, work: workAt(works[cell.work]) };
  untimed.add(1);
  await doTask(current.work, task, now, nobody);
}

/** Waits until a task is to begin. Gives that moment where the plan does not tell it. */
function waitFor(task, isFirst) {
  const { beginsMs, callers, loop, isExact, firstMoment } = current;
  const moment = loop === "closed" ? 0 : moments[firstMoment + task];
  if (loop !== "thinking") {
    waitUntil(beginsMs + moment, loop === "closed" || isExact);
    return undefined;
  }
  // Callers begin spread over their first pause: they would go in step for long if all began at once.
  const share = isFirst ? Math.min(1, (task + 1) / callers) : 1;
  const dueMs = Math.max(now(), beginsMs) + share * moment;
  waitUntil(dueMs, isExact);
  return dueMs;
}

/** One task of a cell. */
export async function nextTask(data) {
  const { name, iterationInTest: task } = exec.scenario;
  clock = clock || exec.instance;
  clockMs = data.clockMs;
  const isFirst = current.name !== name;
  if (isFirst) await enter(name, task);
  // Whatever is to be read is read before the moment.
  for (const { requestOf } of current.work.steps) requestOf(task);
  const dueMs = waitFor(task, isFirst);
  if (now() > current.endsMs) return;
  await doTask(current.work, task, now, (step, sentMs, endedMs, facts) =>
    tell(task, step, sentMs, endedMs, facts, step === 0 ? dueMs : undefined),
  );
}
