// Callers that think between small calls, for studies of waiting that vary the number of callers and the think time.
import { closedLoop, linkDefaults, type Task } from "@roundtrip/runner";
import { greeting } from "./greeting.ts";

/** Far enough that a new connection or a queue costs a visible round trip, and near enough for many calls. */
const rttMs = 5;

/** Calls of a single caller in a round, without a pause. They feed the model. */
const callsOfFed = 60;

type Conditions = Pick<Task, "settings" | "needs"> & Required<Pick<Task, "styles">>;

/** @param thinkMs mean of an exponential distribution. @param calls calls of each caller in a round. */
export function thinkingCallers(conditions: Conditions, callers: number, thinkMs: number, calls: number): Task {
  return {
    name: "hello",
    factors: {},
    ...conditions,
    links: [{ ...linkDefaults, rttMs }],
    onFloor: false,
    ...greeting,
    load: { pacer: closedLoop({ thinkMs, thinkTime: "exponential" }) },
    callers,
    tasksPerRound: calls * callers,
    tasksPerBlock: calls * callers,
  };
}

export function singleCaller(conditions: Conditions): Task {
  return thinkingCallers(conditions, 1, 0, callsOfFed);
}
