// Callers who think between small calls: what studies of waiting vary is how many they are, and for how long they do.
import { closedLoop, linkDefaults, type Task } from "@roundtrip/runner";
import { greeting } from "./greeting.ts";

/** Far enough that a connection or a place in a queue costs a visible round trip, and near enough for many calls. */
const rttMs = 5;

/** One lonely caller's calls in a round, without a pause: those that the model is fed with. */
const callsOfFed = 60;

type Place = Pick<Task, "settings" | "needs"> & Required<Pick<Task, "stacks">>;

/** @param thinkMs mean of an exponential distribution. @param calls of each caller in a round. */
export function thinkingCallers(place: Place, callers: number, thinkMs: number, calls: number): Task {
  return {
    name: "hello",
    factors: {},
    ...place,
    links: [{ ...linkDefaults, rttMs }],
    onFloor: false,
    ...greeting,
    load: { pacer: closedLoop({ thinkMs, thinkTime: "exponential" }) },
    callers,
    tasksPerRound: calls * callers,
    tasksPerBlock: calls * callers,
  };
}

export function lonelyCaller(place: Place): Task {
  return thinkingCallers(place, 1, 0, callsOfFed);
}
