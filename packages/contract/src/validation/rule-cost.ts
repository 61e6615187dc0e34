// Limits the cost of one message's rules. An expression is evaluated synchronously, so nothing can interrupt it: seven nested `all` over ten
// elements take minutes. This file counts costs during evaluation. See docs/decisions/0207-rules-have-a-cost-limit.md.
import { pathToString } from "@bufbuild/protobuf/reflect";
import { costOf, sizeOf } from "./function-costs.ts";

/**
 * The cost limit for the rules of one message. Cost counts the elements that macros visit (`all`, `exists`, `map`, …) and what functions
 * in them read. A unit takes at most a microsecond on a current machine.
 */
export const ruleCostLimit = 250_000;

/** Thrown by an evaluation that exceeds the cost limit. */
export class RuleCostError extends Error {
  override readonly name = "RuleCostError";
  /** The rule that exceeded the limit. */
  readonly ruleId: string;
  /** The type of the checked message, and the path of the field with the rule. */
  messagePath = "";

  constructor(ruleId: string) {
    super(`rule ${ruleId} exceeds its cost limit`);
    this.ruleId = ruleId;
  }
}

let left = Number.POSITIVE_INFINITY;

/** Runs a function with the cost limit for the rules that it evaluates. */
export function withCostLimit<T>(run: () => T): T {
  left = ruleCostLimit;
  try {
    return run();
  } finally {
    // Other users of the library in this process have no limit.
    left = Number.POSITIVE_INFINITY;
  }
}

function spend(units: number): void {
  left -= units;
  if (left < 0) throw new RangeError("the cost limit of rules is exceeded");
}

/** A function of the library; it returns undefined for arguments of other types. */
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

/** The library's current position in a message. */
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

/** Patches the library: later plans count the cost of loops and of calls in them. */
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

/** Patches the library: errors about the cost limit name the rule. */
export function nameCostlyRules(evaluator: RuleEvaluator, plans: readonly RulesPlan[]): void {
  const evaluate = evaluator.eval;
  evaluator.eval = function (compiled) {
    try {
      spend(1);
      return evaluate.call(this, compiled);
    } catch (thrown) {
      // The library replaces an error thrown in an expression by its own.
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
          thrown.messagePath = path === "" ? cursor.root.typeName : `${cursor.root.typeName}.${path}`;
        }
        throw thrown;
      }
    };
  }
}
