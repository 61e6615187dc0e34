// What is done to versions whose truth is known: equal ones, however they came about, and ones that differ by what is added to base or head.
import { nothing, type Addition } from "./addition.ts";
import { sleepFor, turnsFor, type Calibration } from "./calibration.ts";

/** How two versions come to be. */
export type Origin =
  /** The same files, and `roundtrip compare`'s commands for them. */
  | "same files"
  /** A git revision that is checked out twice and built twice. */
  | "two builds"
  /** The same files once more at a path that is 150 characters longer, for head. */
  | "longer path";

export interface Change {
  readonly name: string;
  readonly kind: "null" | "injected";
  readonly origin: Origin;
  /** Stacks over which it cannot be done. */
  readonly notOver: readonly string[];
  readonly base: (calibration: Calibration) => Addition;
  readonly head: (calibration: Calibration) => Addition;
  /** Head ÷ base of this metric, where the change settles it; null where it does not. */
  readonly truthOf: (metric: string) => number | null;
  /** How often it is done, among the others. */
  readonly weight: number;
}

function addNothing(): Addition {
  return nothing;
}

/** Two equal versions. */
function equal(name: string, origin: Origin, weight: number): Change {
  return { name, kind: "null", origin, notOver: [], base: addNothing, head: addNothing, truthOf: () => 1, weight };
}

function cpu(percent: number, weight: number): Change {
  // A share less is a share more of base.
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
    // What else there is to a call's latency is not known.
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

/** Throws for a name that there is not. */
export function changeNamed(name: string): Change {
  const change = changes.find((one) => one.name === name);
  if (change === undefined) throw new Error(`there is no change called ${name}`);
  return change;
}
