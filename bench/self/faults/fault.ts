// A fault: what is sent to whom at which moment of a run.
import { randomFrom } from "@roundtrip/analysis/statistics";
import { seedOf, shuffled } from "@roundtrip/runner/parts";

const signals = ["SIGINT", "SIGTERM", "SIGKILL", "SIGSTOP"] as const;
const victims = ["program", "server", "client"] as const;

export interface InjectedFault {
  /** A process that was stopped is continued after a while. */
  readonly signal: (typeof signals)[number];
  readonly victim: (typeof victims)[number];
  /** After the start of the program. A process that is not there yet gets it as soon as it is. */
  readonly atMs: number;
}

const kinds = signals.flatMap((signal) => victims.map((victim) => ({ signal, victim })));

/** So many faults, each kind as often as any other. @param spanMs the moments that are drawn from. */
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
