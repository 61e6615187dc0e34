// Limits what the rules of one message may cost. An expression is evaluated in one go, so nothing else in the process can stop it: seven nested `all` over
// ten elements take minutes. Costs are counted while it is evaluated. See docs/decisions/0207-rules-have-a-cost-limit.md.
import { pathToString } from "@bufbuild/protobuf/reflect";
import { costOf, sizeOf } from "./function-costs.ts";

/**
 * What the rules of one message may cost: elements that macros visit (`all`, `exists`, `map`, …) and what functions within them read.
 * A unit takes a microsecond at most, on a machine of today.
 */
export const ruleCostLimit = 250_000;

/** Thrown out of an evaluation that costs more than its limit. */
export class RuleCostError extends Error {
  override readonly name = "RuleCostError";
  /** The rule that exceeded the limit. */
  readonly ruleId: string;
  /** What has the rule: the type of the message that was checked, and the path in it. */
  place = "";

  constructor(ruleId: string) {
    super(`rule ${ruleId} exceeds its cost limit`);
    this.ruleId = ruleId;
  }
}

let left = Number.POSITIVE_INFINITY;

/** Runs it with a limit for the rules that it evaluates. */
export function withCostLimit<T>(run: () => T): T {
  left = ruleCostLimit;
  try {
    return run();
  } finally {
    // Whoever else uses the library in this process has no limit.
    left = Number.POSITIVE_INFINITY;
  }
}

function spend(units: number): void {
  left -= units;
  if (left < 0) throw new RangeError("the cost limit of rules is exceeded");
}

/** A function of the library, which gives undefined for arguments that it does not take. */
interface Callable {
  call(id: number, target: unknown, args: readonly unknown[]): unknown;
}

interface Evaluated {
  eval(context: unknown): unknown;
}

/** The library's plan of a call, and of a macro's loop. */
interface CallPlan extends Evaluated {
  func?: Callable | undefined;
}
interface LoopPlan extends Evaluated {
  iterRange: Evaluated;
}

/** The library's planner of expressions. */
export interface ExpressionPlanner {
  planCall: (this: unknown, id: number, call: { readonly function: string }) => CallPlan;
  planComprehension: (this: unknown, id: number, value: unknown) => LoopPlan;
}

/** Where in a message the library is. */
interface RuleCursor {
  readonly root: { readonly typeName: string };
  getPath(): Parameters<typeof pathToString>[0];
}

/** The library's plan of the rules of one field, element or message. */
export interface RulesPlan {
  eval: (this: unknown, value: unknown, cursor: RuleCursor) => void;
}

/** The library's evaluation of one rule. */
export interface RuleEvaluator {
  eval: (this: unknown, compiled: { readonly rule?: { readonly id: string } }) => unknown;
}

/** Plans that are made from here on charge for loops, and for what happens in them. */
export function chargeLoops(planner: ExpressionPlanner): void {
  const { planCall, planComprehension } = planner;
  let depth = 0;
  planner.planComprehension = function (id, value) {
    depth += 1;
    try {
      const loop = planComprehension.call(this, id, value);
      const { iterRange } = loop;
      loop.iterRange = {
        eval(context) {
          const range = iterRange.eval(context);
          spend(1 + sizeOf(range));
          return range;
        },
      };
      return loop;
    } finally {
      depth -= 1;
    }
  };
  planner.planCall = function (id, call) {
    const plan = planCall.call(this, id, call);
    const { func } = plan;
    const cost = costOf(call.function, depth > 0);
    if (func === undefined || cost === undefined) return plan;
    plan.func = {
      call(callId, target, args) {
        spend(cost(target, args));
        return func.call(callId, target, args);
      },
    };
    return plan;
  };
}

/** From here on a rule that exceeds the limit is named. */
export function nameCostlyRules(evaluator: RuleEvaluator, plans: readonly RulesPlan[]): void {
  const evaluate = evaluator.eval;
  evaluator.eval = function (compiled) {
    try {
      spend(1);
      return evaluate.call(this, compiled);
    } catch (thrown) {
      // The library catches what is thrown in an expression, and throws an error of its own.
      throw left < 0 ? new RuleCostError(compiled.rule?.id ?? "") : thrown;
    }
  };
  for (const plan of plans) {
    const check = plan.eval;
    plan.eval = function (value, cursor) {
      try {
        check.call(this, value, cursor);
      } catch (thrown) {
        if (thrown instanceof RuleCostError) {
          const path = pathToString(cursor.getPath());
          thrown.place = path === "" ? cursor.root.typeName : `${cursor.root.typeName}.${path}`;
        }
        throw thrown;
      }
    };
  }
}
