// What k6 runs: one scenario for each cell of plan.json. Task n of a cell does what the plan says of it, when the plan says, whichever instance
// and virtual user it falls to; each of its calls is timed here and told with its outcome. Runs on k6 1.x and 2.x; README.md says how.
import { sleep } from "k6";
import { SharedArray } from "k6/data";
import exec from "k6/execution";
import { Gauge, Trend } from "k6/metrics";
import { doTask, readySteps, serverAt, wholeRequests } from "./calls.js";
import { aheadOf } from "./server-clock.js";

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
  const { planHash, contractHash, seed, round, studies, servers, arms, cells: planned } = plan();
  const setupCalls = servers.reduce((sum, { setup: steps }) => sum + steps.length, 0);
  const places = servers.map(({ id, calls, variable, usual, path }) => ({ id, calls, variable, usual, path }));
  const { beginsMs, mostMs } = planned[planned.length - 1];
  const atOnce = Math.max(...arms.flatMap(({ sets }) => sets.map((set) => set.length)));
  const facts = { planHash, contractHash, seed, round, studies, places, setupCalls, atOnce };
  return [{ ...facts, endsMs: beginsMs + mostMs + 100 }];
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
// Steps name their requests by number: a virtual user reads those that it makes, and no others.
const works = new SharedArray("works", () => plan().arms.map(({ server, steps, sets }) => ({ server, steps, sets })));
const requests = new SharedArray("requests", () => wholeRequests(plan().requests));
// How long before a moment virtual users look at the clock: timers of Go end up to a millisecond late. Where moments are near each other it is less,
// or a third of a core and more would go into looking; and a process that is busy wakes up often enough.
const mostEarlyMs = 1;
const leastEarlyMs = 0.5;
const mostOfTimeLooking = 0.3;
// Where the schedule of a cell begins among all moments of the plan, and which of the works is its own.
const cells = new SharedArray("cells", () => {
  const { arms, cells: planned } = plan();
  const workOf = Object.fromEntries(arms.map(({ facts }, index) => [facts.id, index]));
  let firstMoment = 0;
  return planned.map(({ armId, tasks, callers, beginsMs, mostMs, arrivalsMs, pausesMs }) => {
    const loop = arrivalsMs ? "open" : pausesMs ? "thinking" : "closed";
    const lengthMs = arrivalsMs ? arrivalsMs[tasks - 1] : (pausesMs || []).reduce((sum, ms) => sum + ms, 0) / callers;
    const affordedMs = loop === "closed" ? mostEarlyMs : (lengthMs / tasks) * mostOfTimeLooking;
    const earlyMs = affordedMs < leastEarlyMs ? 0 : Math.min(mostEarlyMs, affordedMs);
    const cell = { work: workOf[armId], callers, beginsMs, endsMs: beginsMs + mostMs, loop, earlyMs, firstMoment };
    firstMoment += (arrivalsMs || pausesMs || []).length;
    return cell;
  });
});
const moments = new SharedArray("moments", () =>
  plan().cells.flatMap(({ arrivalsMs, pausesMs }) => arrivalsMs || pausesMs || []),
);
parsed = undefined;

/** What k6 has by itself. */
const usualBatch = 20;
const usualBatchPerHost = 6;

export const options = {
  scenarios: Object.fromEntries(
    scenarios.map(({ name, ...rest }) => [
      name,
      { executor: "shared-iterations", exec: "nextTask", gracefulStop: "0s", ...rest },
    ]),
  ),
  // A virtual user keeps as many connections to a server: with fewer than it calls at once, some would be opened anew in each task.
  batch: Math.max(usualBatch, head.atOnce),
  batchPerHost: Math.max(usualBatchPerHost, head.atOnce),
  // Verdicts are made of all instances' samples together: no instance has thresholds of its own.
  systemTags: ["scenario"],
  setupTimeout: "1h",
  teardownTimeout: "1h",
  userAgent: "",
};

/** A call: milliseconds from before it is made until its answer is there. */
const call = new Trend("roundtrip_call", true);
/** An instance of k6: its value is T0. */
const instance = new Gauge("roundtrip_instance");

const servers = Object.fromEntries(head.places.map((place) => [place.id, serverAt(place)]));

// What there is to do before T0, by the first instance, unless whoever started the servers has done it: `-e PREPARED=1`.
const isPrepared = Boolean(__ENV.PREPARED);
const warmUpMs = Number(__ENV.WARM_UP_MS || 3000);
const preparingMs = isPrepared ? 0 : warmUpMs + head.setupCalls * 10;
// Whoever is asked for the time of day: the same server by all instances.
const teller = Object.values(servers).find(({ calls }) => calls.module !== "grpc");
const askingMs = teller ? 1200 : 0;
// It takes a second at most until the teller's Date goes on.
const leastAskingMs = 1100;

// Of this virtual user: the instance's clock, the cell that it is in, and what it has called over HTTP/2.
let clock;
let clockMs = 0;
let current = { name: "" };
const called = new Set();

/** Milliseconds from T0, finer than those of Date.now(). */
const now = () => clock.currentTestRunDuration + clockMs;
/** What a task is done with that nobody waits for, and nobody measures. */
const inPassing = { now, begin: now, told: () => undefined };

/**
 * Sleeps, and looks at the clock for what is left then. Gives the first moment that is not before the one waited for.
 * @param earlyMs how long at least that is; 0 for no looking, where so many wait that it would take the processor from their answers
 */
function waitUntil(atMs, earlyMs = mostEarlyMs) {
  const leftMs = atMs - now();
  // Sleeps of whole milliseconds end in time where nothing else goes on.
  const sleptMs = earlyMs > 0 ? Math.floor(leftMs - earlyMs) : leftMs;
  if (sleptMs > 0) sleep(sleptMs / 1000);
  let seenMs = now();
  while (seenMs < atMs) seenMs = now();
  return seenMs;
}

const requestAt = (number) => requests[number];

/** What an arm does, made ready. */
function workAt({ server, steps, sets }) {
  return { server: servers[server], steps: readySteps(servers[server], steps, requestAt), sets };
}

/** The moment that all else is counted from, in milliseconds of the time of day: one that instances agree on without asking each other. */
function chooseT0() {
  if (__ENV.T0) return Number(__ENV.T0);
  const stepMs = Number(__ENV.T0_STEP_MS || 10000);
  return Math.ceil((Date.now() + Number(__ENV.T0_LEAD_MS || 2000 + preparingMs + askingMs)) / stepMs) * stepMs;
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
    await doTask(work, 0, { ...inPassing, told: requireAnswer(work.server) });
  }
  const all = works.map(workAt);
  const endMs = now() + warmUpMs;
  for (let task = 0; now() < endMs; task += 1) {
    const work = all[task % all.length];
    await doTask(work, task, { ...inPassing, told: requireAnswer(work.server) });
  }
}

/** How far this instance's clock is ahead of a server's, as a tag; none where no server tells it, or T0 is too near. */
function clockTag(t0) {
  const lastMs = Math.min(now() + askingMs, -100);
  if (!teller || lastMs - now() < leastAskingMs) return {};
  const aheadMs = aheadOf(teller.address, () => now() + t0, t0 + lastMs);
  return aheadMs === undefined ? {} : { clock_ms: aheadMs.toFixed(1) };
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
  const told = clockTag(t0);
  const remedy = __ENV.T0 ? "later T0" : "larger T0_LEAD_MS";
  if (!(now() < 0)) throw new Error(`T0 was over before this instance was ready: give a ${remedy}`);
  instance.add(t0, {
    plan: head.planHash,
    contract: head.contractHash,
    seed: String(head.seed),
    round: String(head.round),
    studies: head.studies.join(","),
    segment,
    version: __ENV.K6_VERSION || "",
    ...told,
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

/**
 * Of how many tasks the bytes are that k6 will tell of an iteration with an untimed task: of two. Of none over HTTP/2 where the connection is new, or is told
 * a method's name in full.
 */
function tasksTold({ server, steps }, task) {
  if (server.calls.module !== "grpc") return 2;
  const calls = steps.map(({ requestOf }) => `${server.variable} ${requestOf(task).method}`);
  const isKnown = calls.every((name) => called.has(name));
  for (const name of calls) called.add(name);
  return isKnown ? 2 : 0;
}

/** Goes over to another cell, and does a task of it unmeasured: this virtual user is connected when its first moment comes. */
async function enter(name, task) {
  const cell = cells[Number(name.slice(1))];
  current = { name, ...cell, work: workAt(works[cell.work]) };
  exec.vu.metrics.metadata.tasks = String(tasksTold(current.work, task));
  await doTask(current.work, task, inPassing);
}

/** When a task is to begin. */
function momentOf(task, isFirst) {
  const { beginsMs, callers, loop, firstMoment } = current;
  if (loop === "closed") return beginsMs;
  const moment = moments[firstMoment + task];
  if (loop === "open") return beginsMs + moment;
  // Callers begin spread over their first pause: they would go in step for long if all began at once.
  const share = isFirst ? Math.min(1, (task + 1) / callers) : 1;
  return Math.max(now(), beginsMs) + share * moment;
}

/** One task of a cell. */
export async function nextTask(data) {
  const { name, iterationInTest: task } = exec.scenario;
  clock = clock || exec.instance;
  clockMs = data.clockMs;
  const isFirst = current.name !== name;
  if (isFirst) await enter(name, task);
  else delete exec.vu.metrics.metadata.tasks;
  const atMs = momentOf(task, isFirst);
  const { work, endsMs, earlyMs, loop } = current;
  if (Math.max(now(), atMs) > endsMs) return;
  // The plan tells all moments but those that follow a pause.
  const dueMs = loop === "thinking" ? atMs : undefined;
  await doTask(work, task, {
    now,
    begin: () => waitUntil(atMs, earlyMs),
    told: (step, sentMs, endedMs, facts) => tell(task, step, sentMs, endedMs, facts, step === 0 ? dueMs : undefined),
  });
}
