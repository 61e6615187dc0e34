// Selects the next job: all cases in turn, the more important ones more often, counting the jobs of all earlier runs.
import { changeNamed, changes } from "./changes.ts";
import { stackNames, type JobCase } from "./physical-job.ts";

export const kinds = ["null", "injected", "neighbour"] as const;

export type Kind = (typeof kinds)[number];

interface Planned {
  readonly change: string;
  readonly isWhole: boolean;
  readonly hasNeighbour: boolean;
  readonly kind: Kind;
  readonly weight: number;
}

const alone = changes.map(({ name: change, kind, weight }): Planned => {
  return { change, kind, weight, isWhole: false, hasNeighbour: false };
});

/** All stacks at once, as users compare them; one of them has the change. */
const whole: readonly Planned[] = [
  { change: "same artefact", kind: "null", weight: 4, isWhole: true, hasNeighbour: false },
  { change: "built twice", kind: "null", weight: 1, isWhole: true, hasNeighbour: false },
  { change: "server CPU +5 %", kind: "injected", weight: 4, isWhole: true, hasNeighbour: false },
];

const beside: readonly Planned[] = ["same artefact", "server CPU +5 %"].map((change) => {
  return { change, kind: "neighbour", weight: 2, isWhole: false, hasNeighbour: true };
});

const planned = [...alone, ...whole, ...beside];

function isOf(one: Omit<Planned, "kind" | "weight">, done: JobCase): boolean {
  return one.change === done.change && one.isWhole === done.isWhole && one.hasNeighbour === done.hasNeighbour;
}

function possible({ change }: Planned, stacks: readonly string[]): readonly string[] {
  return stacks.filter((stack) => !changeNamed(change).notOver.includes(stack));
}

/** Spreads cases that run only once over the stacks. */
function rotated<T>(values: readonly T[], by: number): readonly T[] {
  const start = by % Math.max(1, values.length);
  return [...values.slice(start), ...values.slice(0, start)];
}

/** The case that has run least for its weight, with stacks in turn. @param stacks one is changed; @param isOneStack without comparisons of all */
export function nextCase(
  done: readonly JobCase[],
  wanted: readonly Kind[] = kinds,
  stacks: readonly string[] = stackNames,
  isOneStack = false,
): JobCase {
  const cases = planned
    .map((one, index) => ({ ...one, stacks: rotated(possible(one, stacks), index) }))
    .filter((one) => wanted.includes(one.kind) && one.stacks.length > 0 && !(isOneStack && one.isWhole))
    .map((one) => ({ ...one, jobs: done.filter((job) => isOf(one, job) && one.stacks.includes(job.stack)) }));
  const [first, ...others] = cases;
  if (first === undefined) throw new Error("there is nothing to do");
  const shareOf = ({ jobs, weight }: (typeof cases)[number]): number => (jobs.length + 1) / weight;
  const next = others.reduce((best, one) => (shareOf(one) < shareOf(best) ? one : best), first);
  const countOf = (stack: string): number => next.jobs.filter((job) => job.stack === stack).length;
  const stack = next.stacks.reduce((best, one) => (countOf(one) < countOf(best) ? one : best));
  const { change, isWhole, hasNeighbour } = next;
  return { change, stack, isWhole, hasNeighbour };
}
