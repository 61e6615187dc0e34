// The arms of a run: every task of every study, in every variant, on every stack that can carry it.
import type { Arm as ArmFacts } from "@roundtrip/analysis";
import type { Stack } from "@roundtrip/stacks";
import type { Plan, Study, Task } from "./study.ts";

/** One thing that is measured: what results know of it, and what measuring it takes. */
export interface Arm extends ArmFacts {
  readonly plan: Plan;
  /** Arms with the same key do the same work and must give the same answer. */
  readonly answerKey: string;
  readonly answerFields: readonly string[];
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

/** The arms of these studies on these stacks. */
export function armsOf(studies: readonly Study[], stacks: readonly Stack[]): readonly Arm[] {
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
            title: stack.title,
            role: stack.role,
            variant,
            factors: task.factors,
            callsPerTask: plan.order === "together" ? 1 : plan.steps.length,
            plan,
            answerKey: `${study.name}/${task.name}${factorText(task.factors)}`,
            answerFields: task.answerKeys,
            callers: task.callers,
            connections: connectionsOf(stack, plan, task.callers),
            tasksPerRound: task.tasksPerRound,
            tasksPerBlock: task.tasksPerBlock,
          })),
      ),
    ),
  );
}
