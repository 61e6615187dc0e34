// Limits the cost of one message's rules. An expression is evaluated synchronously, so nothing can interrupt it: seven nested `all` over ten
// elements take minutes. This file counts costs during evaluation. See docs/decisions/0207-rules-have-a-cost-limit.md.
import { pathToString, isReflectMessage } from "@bufbuild/protobuf/reflect";

/** How many characters or bytes can be read in the time of one visited element. */
const charactersPerUnit = 64;

/** The elements of a list or map; for text and bytes, a fraction of an element per character. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length / charactersPerUnit;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return value.length / charactersPerUnit;
  const size = "size" in value ? value.size : 0;
  return typeof size === "number" ? size : 0;
}

/** The same, including the elements in lists and messages. */
function deepSizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return sizeOf(value);
  const held: Iterable<unknown> = Symbol.iterator in value ? (value as Iterable<unknown>) : Object.values(value);
  let sum = 1;
  for (const each of isReflectMessage(value) ? Object.values(value.message) : held) sum += 1 + deepSizeOf(each);
  return sum;
}

/** The cost of a call with this target (undefined for a function without one) and arguments. It runs for every call in a loop, so it allocates nothing. */
type Cost = (target: unknown, args: readonly unknown[]) => number;

const sizes: Cost = (target, args) => {
  let sum = 1 + sizeOf(target);
  for (const arg of args) sum += sizeOf(arg);
  return sum;
};

/** Comparison stops at the first difference and is faster than visiting elements. */
const compared: Cost = (target, args) => {
  let sum = 1 + deepSizeOf(target) / 8;
  for (const arg of args) sum += deepSizeOf(arg) / 8;
  return sum;
};

/** Functions whose cost is more than linear in their arguments: they also count outside loops. */
const steepCosts: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  // Compares every element with every other.
  ["unique", (list) => 1 + sizeOf(list) ** 2 / 32],
  // Each character can be replaced by a whole text.
  ["replace", (text, [, by]) => 1 + (1 + sizeOf(text) * charactersPerUnit) * (1 + sizeOf(by))],
]);

const costs: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...steepCosts,
  // Regular expressions are interpreted, at about a hundred nanoseconds per character.
  ["matches", (target, args) => sizes(target, args) * (charactersPerUnit / 4)],
  // The size of a list is known; the characters of a text must be counted.
  ["size", (target, [value = target]) => (typeof value === "string" ? sizeOf(value) : 0)],
  // Joined lists are nested as deep as `map` and `filter` have joined them.
  ["_+_", (target, args) => sizes(target, args) / 16],
  ["_==_", compared],
  ["_!=_", compared],
  ["@in", compared],
  ["join", compared],
]);

/** The cost function of a CEL function; undefined if its cost is linear in the message and counts once. */
function costOf(name: string, isInLoop: boolean): Cost | undefined {
  return isInLoop ? (costs.get(name) ?? sizes) : steepCosts.get(name);
}

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
