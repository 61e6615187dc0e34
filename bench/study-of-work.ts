// Studies of load whose work may come from outside: tasks of a user's contract take the place of the study's own.
import type { Study, Task } from "@roundtrip/runner";

/** A task without its load. */
export type Work = Omit<Task, "load" | "saturation" | "callers" | "tasksPerRound" | "tasksPerBlock">;

/** The levels of load that the user chose; absent uses the study's. */
export interface LoadLevels {
  /** Arrivals per second, in ascending order. */
  readonly ratesHz?: readonly number[];
  readonly callers?: readonly number[];
  /** Means of exponential distributions, in milliseconds. */
  readonly thinkMs?: readonly number[];
}

/** The levels that a study varies, by name. */
export type LevelName = keyof LoadLevels;

/** What a study file exports as `ofWork`, if it measures any task. */
export interface StudyOfWork {
  /** The levels that the user may choose. */
  readonly levels: readonly LevelName[];
  /** The level without which there is nothing to measure; absent if the study has its own. */
  readonly needs?: LevelName;
  readonly study: (works: readonly Work[], levels: LoadLevels) => Study;
}

/** HTTP/1.1 has a connection for each call, so that hardly any call waits in the client. */
export const connections = 200;
