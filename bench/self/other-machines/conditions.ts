// Emulates other machines on this one.
import { atExit } from "@roundtrip/runner/lifetime";
import { readAllowedCores } from "@roundtrip/runner/parts";
import { fork, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

export interface EmulatedMachine extends Disposable {
  readonly how: string;
  /** The command that starts a program on it, as the words before it. */
  readonly enter: readonly string[];
}

export const conditionNames = ["quiet", "slow", "burning", "one-core"] as const;

export type ConditionName = (typeof conditionNames)[number];

/** How many times as slow the slow processor is. */
const slowness = 3;

const burnerProgram = join(import.meta.dirname, "..", "processes", "burner.ts");

function canPin(): boolean {
  return spawnSync("taskset", ["-cp", String(process.pid)]).status === 0;
}

/** The cores that this process may use, as the kernel numbers them; empty if unknown. */
function allowedCores(): readonly number[] {
  try {
    return [...(readAllowedCores(readFileSync("/proc/self/status", "utf8")) ?? [])];
  } catch {
    return [];
  }
}

/** Runs this many competitors of equal weight on each core. */
function burning(perCore: number, how: string): EmulatedMachine {
  const cores = canPin() ? allowedCores() : [];
  const burners = Array.from({ length: perCore * availableParallelism() }, (_, index) => {
    const child = fork(burnerProgram, { stdio: "ignore" });
    const core = cores[index % cores.length];
    if (core !== undefined)
      spawnSync("taskset", ["--all-tasks", "-cp", String(core), String(child.pid)], { stdio: "ignore" });
    return atExit(() => child.kill("SIGKILL"));
  });
  return {
    how,
    enter: [],
    [Symbol.dispose]: () => {
      for (const burner of burners) burner[Symbol.dispose]();
    },
  };
}

function oneCore(): EmulatedMachine {
  if (!canPin())
    throw new Error("taskset is missing, which makes one core of this machine: apt-get install util-linux");
  const [core = 0] = allowedCores();
  return {
    how: "taskset to one core",
    enter: ["taskset", "-c", String(core)],
    [Symbol.dispose]: () => undefined,
  };
}

const makers: Readonly<Record<ConditionName, () => EmulatedMachine>> = {
  quiet: () => ({ how: "as it is", enter: [], [Symbol.dispose]: () => undefined }),
  slow: () => burning(slowness - 1, `${slowness - 1} competitors on each core`),
  burning: () => burning(1, "one competitor on each core"),
  "one-core": oneCore,
};

/** Makes this machine behave like the named one until it is disposed of. */
export function machineOf(name: ConditionName): EmulatedMachine {
  return makers[name]();
}
