// A fault: a signal to a process at a moment of a run.
import { randomFrom } from "@roundtrip/analysis/statistics";
import { seedOf, shuffled } from "@roundtrip/runner/parts";

const signals = ["SIGINT", "SIGTERM", "SIGKILL", "SIGSTOP"] as const;
const victims = ["program", "server", "client"] as const;

export interface InjectedFault {
  /** A stopped process is continued after a while. */
  readonly signal: (typeof signals)[number];
  readonly victim: (typeof victims)[number];
  /** Milliseconds after the start of the program. A process that has not started yet gets the signal as soon as it has. */
  readonly atMs: number;
}

const kinds = signals.flatMap((signal) => victims.map((victim) => ({ signal, victim })));

/** This many faults, the same number of each kind. @param spanMs the range of the random moments. */
export function faultsFrom(seed: number, count: number, spanMs: number): readonly InjectedFault[] {
  const random = randomFrom(seed, "moments of faults");
  return Array.from({ length: count }, (_, index) => {
    const turn = Math.floor(index / kinds.length);
    const kind = shuffled(kinds, seedOf(seed, turn))[index % kinds.length];
    if (kind === undefined) throw new Error("there are no kinds of faults");
    return { ...kind, atMs: Math.round(random() * spanMs) };
  });
}

export function faultText({ signal, victim, atMs }: InjectedFault): string {
  return `${signal} to the ${victim} after ${atMs} ms`;
}
