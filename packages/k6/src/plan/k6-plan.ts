// A plan for k6 as a value: one round of studies with its requests, schedule and servers. An export writes it to `plan.json`, which
// the script reads, and the import reads results against it.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Arm } from "@roundtrip/runs";
import type { K6Calls } from "@roundtrip/styles";

/** Milliseconds from T0 until the last cell's end. */
export function lengthMs({ cells }: Pick<K6Plan, "cells">): number {
  const last = cells.at(-1);
  return last === undefined ? 0 : last.beginsMs + last.mostMs;
}

export function callsIn({ cells, arms }: Pick<K6Plan, "arms" | "cells">): number {
  const steps = new Map(arms.map((arm) => [arm.facts.id, arm.steps.length]));
  return cells.reduce((sum, { tasks, armId }) => sum + tasks * (steps.get(armId) ?? 0), 0);
}

/** One HTTP request, as this project's own client sends it. */
export interface K6HttpRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, empty for no body; or an object that is sent as JSON without white space. */
  readonly body: string | JsonObject;
}

export interface K6GrpcRequest {
  /** `package.Service/Method`. */
  readonly method: string;
  /** The request in ProtoJSON. */
  readonly message: JsonValue;
}

export type PlannedRequest = K6HttpRequest | K6GrpcRequest;

/** The members of a JSON answer with its server's times: durations such as `"0.0123s"`. */
export interface TimesInAnswer {
  readonly queue: string;
  readonly service: string;
}

export interface K6Step {
  /** Indexes into {@link K6Plan.requests}: one request, or several that tasks use in rotation. */
  readonly requests: readonly number[];
  readonly times?: TimesInAnswer;
}

/** The facts of an arm, and the steps of one task. */
export interface K6Arm {
  readonly facts: Arm;
  /** The server that it calls: {@link K6Server.id}. */
  readonly server: string;
  readonly steps: readonly K6Step[];
  /** Sets of step numbers: the steps of a set are called at once, one set after the other. */
  readonly sets: readonly (readonly number[])[];
}

/** A server to call, and the variable with its address. */
export interface K6Server {
  /** The stack with the settings of its server and service: `rest-express`, `rest-express/matrix.cache=200`. */
  readonly id: string;
  readonly stack: string;
  /** How k6 calls it, as its style declares. */
  readonly calls: K6Calls;
  /** The environment variable with its address, for example `REST_URL`. */
  readonly variable: string;
  /** Its address when the variable is not set. */
  readonly usual: string;
  /** The environment variable with the bearer token of its callers; absent if it asks for none. */
  readonly token?: string;
  /** The path to call on a server whose address has none; empty for its root. */
  readonly path: string;
  /** The values of `--set` for `roundtrip serve`, for example `matrix.cache=200`. */
  readonly settings: readonly string[];
  /** Calls that set its initial state, once, one after the other. */
  readonly setup: readonly K6Step[];
}

/** One uninterrupted stretch of one arm: a block of the round, and a scenario of k6. */
export interface K6Cell {
  /** Also the scenario's name: `c0007`. */
  readonly name: string;
  readonly armId: string;
  /** Its number among the round's blocks. */
  readonly block: number;
  readonly tasks: number;
  /** Virtual users of k6 at most: the callers of a closed loop; as many as an open loop may need at once. */
  readonly callers: number;
  /** When its scenario starts, in milliseconds from T0. Each virtual user runs the task once, unmeasured, before `beginsMs`. */
  readonly startsMs: number;
  /** When its tasks begin, in milliseconds from T0. */
  readonly beginsMs: number;
  /** How long after `beginsMs` tasks may begin. */
  readonly mostMs: number;
  /** Open loop: when each task begins, in milliseconds from `beginsMs`. Null for a closed loop. */
  readonly arrivalsMs: readonly number[] | null;
  /** Closed loop with think time: the pause before each task. Null without one. */
  readonly pausesMs: readonly number[] | null;
}

export interface K6Plan {
  readonly formatVersion: 1;
  readonly studies: readonly string[];
  readonly seed: number;
  /** Counts from 0. */
  readonly round: number;
  /** SHA-256 of the contract's descriptor set, in hexadecimal digits. */
  readonly contractHash: string;
  /** SHA-256 of everything else here in canonical JSON, in hexadecimal digits. */
  readonly planHash: string;
  readonly servers: readonly K6Server[];
  readonly arms: readonly K6Arm[];
  /** In the order in which they begin. */
  readonly cells: readonly K6Cell[];
  /** The requests of all steps, each once. */
  readonly requests: readonly PlannedRequest[];
}
