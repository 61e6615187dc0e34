// The changes with a known truth: equal versions of different origins, and versions with an addition in base or head.
import { nothing, type Addition } from "./addition.ts";
import { sleepFor, turnsFor, type Calibration } from "./calibration.ts";

/** How the two versions are made. */
export type Origin =
  /** The same files, with the commands of `roundtrip compare` for them. */
  | "same files"
  /** A git revision that is checked out twice and built twice. */
  | "two builds"
  /** The same files, for head at a path that is 150 characters longer. */
  | "longer path";

export interface Change {
  readonly name: string;
  readonly kind: "null" | "injected";
  readonly origin: Origin;
  /** Stacks on which it is impossible. */
  readonly notOver: readonly string[];
  readonly base: (calibration: Calibration) => Addition;
  readonly head: (calibration: Calibration) => Addition;
  /** The true head ÷ base of this metric; null if the change does not determine it. */
  readonly truthOf: (metric: string) => number | null;
  /** How often it runs, relative to the others. */
  readonly weight: number;
}

function addNothing(): Addition {
  return nothing;
}

function equal(name: string, origin: Origin, weight: number): Change {
  return { name, kind: "null", origin, notOver: [], base: addNothing, head: addNothing, truthOf: () => 1, weight };
}

function cpu(percent: number, weight: number): Change {
  // Head with a share less is base with a share more.
  const [isFaster, ratio] = [percent < 0, 1 + percent / 100];
  const added = (calibration: Calibration): Addition => ({
    kind: "burn",
    turns: turnsFor(isFaster ? 1 / ratio - 1 : ratio - 1, calibration),
  });
  return {
    name: `server CPU ${isFaster ? "−" : "+"}${Math.abs(percent)} %`,
    kind: "injected",
    origin: "same files",
    notOver: [],
    base: isFaster ? added : addNothing,
    head: isFaster ? addNothing : added,
    // The other parts of a call's latency are unknown.
    truthOf: (metric) => (metric === "serverCpuMsPerTask" ? ratio : null),
    weight,
  };
}

function other(name: string, head: Change["head"], notOver: readonly string[] = []): Change {
  return {
    name,
    kind: "injected",
    origin: "same files",
    notOver,
    base: addNothing,
    head,
    truthOf: () => null,
    weight: 1,
  };
}

const grpcHasOneConnection = ["grpc-js"] as const;

export const changes: readonly Change[] = [
  equal("same artefact", "same files", 2),
  equal("built twice", "two builds", 1),
  equal("longer path", "longer path", 1),
  cpu(2, 1),
  cpu(3, 1),
  cpu(5, 2),
  cpu(8, 1),
  cpu(12, 1),
  cpu(20, 1),
  cpu(-5, 1),
  cpu(-10, 1),
  other("sleep of 5 % of the latency", (calibration) => ({ kind: "sleep", ms: sleepFor(0.05, calibration) })),
  other("one call in 100 takes 10 ms longer", () => ({ kind: "tail", oneIn: 100, ms: 10 })),
  other("a connection for each call", () => ({ kind: "reconnect" }), grpcHasOneConnection),
  other("32 KiB of garbage a call", () => ({ kind: "garbage", bytes: 32_768 })),
  other("512 bytes more an answer", () => ({ kind: "padding", bytes: 512 })),
];

/** Throws for an unknown name. */
export function changeNamed(name: string): Change {
  const change = changes.find((one) => one.name === name);
  if (change === undefined) throw new Error(`there is no change called ${name}`);
  return change;
}
