// What k6 is to do, as a value: one round of studies with its requests, its schedule and the servers that it calls. Those of an
// export are written as `plan.json`, which the script reads, and results are read against them.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Arm } from "@roundtrip/analysis";
import type { K6Calls } from "@roundtrip/styles";

/** One request over HTTP, as this project's own client sends it. */
export interface HttpRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, empty for none; or what it is as JSON without blanks, where it is an object. */
  readonly body: string | JsonObject;
}

/** One request over gRPC. */
export interface GrpcRequest {
  /** `package.Service/Method`. */
  readonly method: string;
  /** The request in ProtoJSON. */
  readonly message: JsonValue;
}

/** A request that is told by another. */
export interface SimilarRequest {
  /** The place of a whole one, before this. */
  readonly like: number;
  /** What is different, as a JSON Merge Patch (RFC 7396). */
  readonly but: JsonObject;
}

export type PlannedRequest = HttpRequest | GrpcRequest | SimilarRequest;

/** Members of an answer in JSON that tell where its server's time went: durations such as `"0.0123s"`. */
export interface TimesInAnswer {
  readonly queue: string;
  readonly service: string;
}

/** One call of a task. */
export interface K6Step {
  /** One request, or those that tasks make in turn: task n makes the nth, round and round. Each by its place in {@link K6Plan.requests}. */
  readonly requests: readonly number[];
  readonly times?: TimesInAnswer;
}

/** An arm as results know it, and what one task of it does. */
export interface K6Arm {
  readonly facts: Arm;
  /** The server that it calls: {@link K6Server.id}. */
  readonly server: string;
  readonly steps: readonly K6Step[];
  /** Numbers of steps that are called at once, set after set. */
  readonly sets: readonly (readonly number[])[];
}

/** A server that has to run, and how the script is told where. */
export interface K6Server {
  /** The stack, with what is set on it and its service: `rest-express`, `rest-express/matrix.cache=true`. */
  readonly id: string;
  readonly stack: string;
  /** How k6 calls it, as its style says. */
  readonly calls: K6Calls;
  /** The environment variable with its address, for example `REST_URL`. */
  readonly variable: string;
  /** Its address when the variable is not set. */
  readonly usual: string;
  /** Where calls go on a server whose address has no path; empty for its root. */
  readonly path: string;
  /** What `roundtrip serve` is told with `--set`, for example `matrix.cache=true`. */
  readonly settings: readonly string[];
  /** Calls that bring it to the state that its arms begin with, once, one after the other. */
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
  /** When its scenario starts, in milliseconds from T0: until its begin, each virtual user does the task once, unmeasured. */
  readonly startsMs: number;
  /** When its tasks begin, in milliseconds from T0. */
  readonly beginsMs: number;
  /** How long after that no task is begun any more. */
  readonly mostMs: number;
  /** Open loop: when each task is to begin, in milliseconds from the cell's begin. Null for a closed loop. */
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
  /** Of all steps, each once. */
  readonly requests: readonly PlannedRequest[];
}
