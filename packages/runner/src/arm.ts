// The arms of a run: every task of every study, in every variant, on every stack that can carry it.
import type { Arm as ArmFacts } from "@roundtrip/analysis";
import type { Stack } from "@roundtrip/stacks";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Plan, Step, Study, Task } from "./study.ts";
import { shownUrl, type Target } from "./target.ts";

/** One thing that is measured: what results know of it, and what measuring it takes. */
export interface Arm extends ArmFacts {
  readonly plan: Plan;
  /** Arms with the same key do the same work and must give the same answer. */
  readonly answerKey: string;
  readonly answerFields: readonly string[];
  /** What the answer holds, for when no other server gives one. */
  readonly expected: JsonObject;
  /** Calls that bring a freshly started server to the state that the arm needs. */
  readonly setup: readonly Step[];
  readonly callers: number;
  /** TCP connections of the client: HTTP/1.1 carries one call at a time on each, the others carry all on one per caller. */
  readonly connections: number;
  readonly tasksPerRound: number;
  readonly tasksPerBlock: number;
}

function factorText(factors: Task["factors"]): string {
  return Object.entries(factors)
    .map(([name, value]) => `/${name}=${value}`)
    .join("");
}

// Calls made at once would queue behind each other on one HTTP/1.1 connection; browsers and agents open several, at most six a host.
const mostConnectionsPerCaller = 6;

function connectionsOf(stack: Stack, plan: Plan, callers: number): number {
  const atOnce = plan.order === "parallel" && stack.wire === "http/1.1" ? plan.steps.length : 1;
  return callers * Math.min(atOnce, mostConnectionsPerCaller);
}

function canCarry(stack: Stack, plan: Plan): boolean {
  if (plan.driver === "autocannon" && stack.wire !== "http/1.1") return false;
  return plan.order !== "together" || !stack.limitations.some((limitation) => limitation.feature === "together");
}

/**
 * The floor, which all stacks are held against and which varies less than any, is content with half as many tasks: a quarter of a minute's
 * calls would be its own.
 */
function tasksOf(
  { role }: Stack,
  { tasksPerRound, tasksPerBlock }: Task,
): Pick<Arm, "tasksPerRound" | "tasksPerBlock"> {
  const share = role === "floor" ? 0.5 : 1;
  return {
    tasksPerRound: Math.ceil(tasksPerRound * share),
    tasksPerBlock: Math.ceil(tasksPerBlock * share),
  };
}

/** What results know of the server when it is not the run's own. */
function elsewhere(stack: Stack, targets: readonly Target[]): Pick<Arm, "title" | "target"> {
  const target = targets.find(({ stack: name }) => name === stack.name);
  if (target === undefined) return { title: stack.title };
  return { title: `${stack.title} (target)`, target: shownUrl(target.url) };
}

/** The arms of these studies on these stacks; `targets` are the stacks whose servers run already. */
export function armsOf(
  studies: readonly Study[],
  stacks: readonly Stack[],
  targets: readonly Target[] = [],
): readonly Arm[] {
  return studies.flatMap((study) =>
    study.tasks.flatMap((task) =>
      stacks.flatMap((stack) =>
        Object.entries(task.variants)
          .filter(([, plan]) => canCarry(stack, plan))
          .map(([variant, plan]) => ({
            id: `${study.name}/${task.name}/${stack.name}/${variant}${factorText(task.factors)}`,
            study: study.name,
            task: task.name,
            stack: stack.name,
            ...elsewhere(stack, targets),
            role: stack.role,
            variant,
            factors: task.factors,
            callsPerTask: plan.order === "together" ? 1 : plan.steps.length,
            plan,
            answerKey: `${study.name}/${task.name}${factorText(task.factors)}`,
            answerFields: task.answerKeys,
            expected: task.expected,
            setup: task.setup,
            callers: task.callers,
            connections: connectionsOf(stack, plan, task.callers),
            ...tasksOf(stack, task),
          })),
      ),
    ),
  );
}

/** An arm as results know it: without what only measuring it needs. */
export function factsOfArm(arm: Arm): ArmFacts {
  const { id, study, task, stack, title, role, variant, factors, callsPerTask, connections, target } = arm;
  const facts = { id, study, task, stack, title, role, variant, factors, callsPerTask, connections };
  return target === undefined ? facts : { ...facts, target };
}
