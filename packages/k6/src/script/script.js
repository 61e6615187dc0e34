// The script for k6 1.x and 2.x: one scenario for each cell of plan.json. The plan determines when task n of a cell begins and what it calls, whichever
// instance and virtual user runs it. The script times each call and reports its outcome. README.md says how to run it.
import { sleep } from "k6";
import { SharedArray } from "k6/data";
import exec from "k6/execution";
import { Gauge, Trend } from "k6/metrics";
import { doTask, readySteps, sendsNamesOnce, sentRequests, serverAt } from "./calls.js";

// The plan is parsed once for all virtual users. Each gets a copy of what it reads, so the parts are small.
let parsed;
function plan() {
  parsed = parsed || planOfRound();
  return parsed;
}

/** The plan of the round to run (`-e ROUND=2`; default: the first), with what all rounds share. */
function planOfRound() {
  const { rounds, ...shared } = JSON.parse(open("./plan.json"));
  const wanted = __ENV.ROUND ? rounds.find(({ round }) => round + 1 === Number(__ENV.ROUND)) : rounds[0];
  if (wanted) return { ...shared, ...wanted };
  throw new Error(`there is no round ${__ENV.ROUND}: plan.json has ${rounds.map(({ round }) => round + 1).join(", ")}`);
}
const [head] = new SharedArray("head", () => {
  const { planHash, servers, arms, cells: planned } = plan();
  const setupCalls = servers.reduce((sum, { setup: steps }) => sum + steps.length, 0);
  const addresses = servers.map(({ setup: _setup, ...address }) => address);
  const { beginsMs, mostMs } = planned[planned.length - 1];
  const atOnce = Math.max(...arms.flatMap(({ sets }) => sets.map((set) => set.length)));
  const facts = { planHash, addresses, setupCalls, atOnce };
  return [{ ...facts, endsMs: beginsMs + mostMs + 100 }];
});
const scenarios = new SharedArray("scenarios", () =>
  plan().cells.map(({ name, tasks, callers, startsMs, beginsMs, mostMs }) => ({
    name,
    vus: callers,
    iterations: tasks,
    startTime: `${startsMs}ms`,
    // k6 requires at least a second. Tasks after the cell's end do nothing.
    maxDuration: `${Math.max(1000, beginsMs - startsMs + mostMs)}ms`,
  })),
);
const setups = new SharedArray("setups", () => plan().servers.map(({ id, setup: steps }) => ({ server: id, steps })));
// Steps refer to requests by number, so a virtual user reads only those that it sends.
const works = new SharedArray("works", () => plan().arms.map(({ server, steps, sets }) => ({ server, steps, sets })));
const requests = new SharedArray("requests", () => sentRequests(plan().requests));
// How long before a moment virtual users poll the clock: Go's timers are up to a millisecond late. It is less if moments are close to each other,
// because polling would take a third of a core or more, and a busy process wakes up often enough.
const mostEarlyMs = 1;
const leastEarlyMs = 0.5;
const mostOfTimePolling = 0.3;
// The cells, each with its work and the index of its first moment.
const cells = new SharedArray("cells", () => {
  const { arms, cells: planned } = plan();
  const workOf = Object.fromEntries(arms.map(({ facts }, index) => [facts.id, index]));
  let firstMoment = 0;
  return planned.map(({ armId, tasks, callers, beginsMs, mostMs, arrivalsMs, pausesMs }) => {
    const loop = arrivalsMs ? "open" : pausesMs ? "thinking" : "closed";
    const lengthMs = arrivalsMs ? arrivalsMs[tasks - 1] : (pausesMs || []).reduce((sum, ms) => sum + ms, 0) / callers;
    const affordedMs = loop === "closed" ? mostEarlyMs : (lengthMs / tasks) * mostOfTimePolling;
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

/** k6's defaults. */
const usualBatch = 20;
const usualBatchPerHost = 6;

export const options = {
  scenarios: Object.fromEntries(
    scenarios.map(({ name, ...rest }) => [
      name,
      { executor: "shared-iterations", exec: "nextTask", gracefulStop: "0s", ...rest },
    ]),
  ),
  // A virtual user keeps this many connections to a server. With fewer than its concurrent calls, each task would open some again.
  batch: Math.max(usualBatch, head.atOnce),
  batchPerHost: Math.max(usualBatchPerHost, head.atOnce),
  // No thresholds: the verdict needs the samples of all instances.
  systemTags: ["scenario"],
  setupTimeout: "1h",
  teardownTimeout: "1h",
  userAgent: "",
};

/** A call: milliseconds from its start to its answer. */
const call = new Trend("roundtrip_call", true);
/** An instance of k6. The value is T0. */
const instance = new Gauge("roundtrip_instance");

const servers = Object.fromEntries(head.addresses.map((address) => [address.id, serverAt(address)]));

// The first instance prepares the servers before T0, unless `-e PREPARED=1` says that they are ready.
const isPrepared = Boolean(__ENV.PREPARED);
const warmUpMs = Number(__ENV.WARM_UP_MS || 3000);
const preparingMs = isPrepared ? 0 : warmUpMs + head.setupCalls * 10;

// State of this virtual user: the instance's clock, the current cell, and the methods that it has called over HTTP/2.
let clock;
let clockMs = 0;
let current = { name: "" };
const called = new Set();

/** Milliseconds from T0, more precise than Date.now(). */
const now = () => clock.currentTestRunDuration + clockMs;
/** Options of a task that begins at once and is not measured. */
const unmeasured = { now, begin: now, onCall: () => undefined };

/**
 * Sleeps, then polls the clock. Returns the first moment at or after `atMs`.
 * @param earlyMs how long to poll at least; 0 to not poll, if so many wait that polling would delay their answers
 */
function waitUntil(atMs, earlyMs = mostEarlyMs) {
  const leftMs = atMs - now();
  // Sleeps of whole milliseconds end in time on an idle machine.
  const sleptMs = earlyMs > 0 ? Math.floor(leftMs - earlyMs) : leftMs;
  if (sleptMs > 0) sleep(sleptMs / 1000);
  let seenMs = now();
  while (seenMs < atMs) seenMs = now();
  return seenMs;
}

const requestAt = (number) => requests[number];

/** Prepares the steps of an arm. */
function workAt({ server, steps, sets }) {
  return { server: servers[server], steps: readySteps(servers[server], steps, requestAt), sets };
}

/** Chooses T0, in milliseconds since 1970, so that instances agree on it without communicating. */
function chooseT0() {
  if (__ENV.T0) return Number(__ENV.T0);
  const stepMs = Number(__ENV.T0_STEP_MS || 10000);
  return Math.ceil((Date.now() + Number(__ENV.T0_LEAD_MS || 2000 + preparingMs)) / stepMs) * stepMs;
}

/** Throws if a preparing call fails. */
function requireAnswer({ variable, address }) {
  return (_step, _sentMs, _endedMs, { outcome }) => {
    if (outcome === "OK") return;
    throw new Error(
      `a call to ${address} ended with ${outcome}: check that the right server runs there and was just started; -e ${variable}=ADDRESS sets another address`,
    );
  };
}

/** Sets the servers' initial state, and warms them up with every task. */
async function prepare() {
  for (const { server, steps } of setups) {
    const work = workAt({ server, steps, sets: steps.map((_, index) => [index]) });
    await doTask(work, 0, { ...unmeasured, onCall: requireAnswer(work.server) });
  }
  const all = works.map(workAt);
  const endMs = now() + warmUpMs;
  for (let task = 0; now() < endMs; task += 1) {
    const work = all[task % all.length];
    await doTask(work, task, { ...unmeasured, onCall: requireAnswer(work.server) });
  }
}

/** Runs once in each instance: chooses T0, synchronizes the precise clock with the time of day, and waits. Scenarios start when it returns. */
export async function setup() {
  const t0 = chooseT0();
  // Date.now() has whole milliseconds, so wait for the moment when it changes.
  const before = Date.now();
  while (Date.now() === before);
  clock = exec.instance;
  clockMs = Date.now() - clock.currentTestRunDuration - t0;
  const segment = exec.test.options.executionSegment || "0:1";
  if (__ENV.STAY) console.info(`T0 ${t0}`);
  if (!isPrepared && segment.startsWith("0:")) await prepare();
  const remedy = __ENV.T0 ? "later T0" : "larger T0_LEAD_MS";
  if (!(now() < 0)) throw new Error(`T0 was over before this instance was ready: set a ${remedy}`);
  instance.add(t0, {
    plan: head.planHash,
    segment,
    version: __ENV.K6_VERSION || "",
  });
  waitUntil(0);
  return { clockMs, t0 };
}

/** Keeps the process until its last cell is over, with `-e STAY=1`, so that its CPU time can be read. Whoever reads it needs T0, which setup prints. */
export function teardown(data) {
  // The precise clock is not available here.
  const leftMs = data.t0 + head.endsMs - Date.now();
  if (__ENV.STAY && leftMs > 0) sleep(leftMs / 1000);
}

/** Reports one call: a sample with its outcome as a tag, and the rest as metadata. */
function report({ task, step, sentMs, endedMs, dueMs }, { outcome, ...others }) {
  const { metadata } = exec.vu.metrics;
  const values = { task, step, at: sentMs, ...others, ...(dueMs === undefined ? {} : { due: dueMs }) };
  const names = Object.keys(values);
  for (const name of names) metadata[name] = String(values[name]);
  call.add(endedMs - sentMs, { outcome });
  // Otherwise k6's own samples of the next call would have it, too.
  for (const name of names) delete metadata[name];
}

/**
 * The number of tasks that the bytes of an iteration with an unmeasured task belong to: two. Over HTTP/2 it is 0 if the connection is new, or sends a method's
 * name in full.
 */
function tasksReported({ server, steps }, task) {
  if (!sendsNamesOnce(server)) return 2;
  const calls = steps.map(({ requestOf }) => `${server.variable} ${requestOf(task).method}`);
  const isKnown = calls.every((name) => called.has(name));
  for (const name of calls) called.add(name);
  return isKnown ? 2 : 0;
}

/** Enters another cell and runs one of its tasks unmeasured, so that this virtual user is connected when its first moment comes. */
async function enter(name, task) {
  const cell = cells[Number(name.slice(1))];
  current = { name, ...cell, work: workAt(works[cell.work]) };
  exec.vu.metrics.metadata.tasks = String(tasksReported(current.work, task));
  await doTask(current.work, task, unmeasured);
}

/** When a task is due. */
function momentOf(task, isFirst) {
  const { beginsMs, callers, loop, firstMoment } = current;
  if (loop === "closed") return beginsMs;
  const moment = moments[firstMoment + task];
  if (loop === "open") return beginsMs + moment;
  // Callers begin spread over their first pause. Otherwise they would call in lockstep for long.
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
  // The plan has all moments except those after a pause.
  const dueMs = loop === "thinking" ? atMs : undefined;
  await doTask(work, task, {
    now,
    begin: () => waitUntil(atMs, earlyMs),
    onCall: (step, sentMs, endedMs, facts) =>
      report({ task, step, sentMs, endedMs, dueMs: step === 0 ? dueMs : undefined }, facts),
  });
}
