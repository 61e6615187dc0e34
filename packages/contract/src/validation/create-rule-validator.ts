// Loads the validation library on first use. With its expression interpreter it is a third of all modules of a server, and a contract with
// plain rules does not need it as long as requests follow them.
import { type Registry, hasOption, type DescField } from "@bufbuild/protobuf";
import type * as protovalidate from "@bufbuild/protovalidate";
import type { Validator } from "@bufbuild/protovalidate";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CallError } from "../basics/call-error.ts";
import {
  chargeLoops,
  nameCostlyRules,
  RuleCostError,
  ruleCostLimit,
  withCostLimit,
  type ExpressionPlanner,
  type RuleEvaluator,
  type RulesPlan,
} from "./rule-cost.ts";
import { field as fieldOption } from "../gen/buf/validate/validate_pb.ts";
import { hasRules } from "./has-rules.ts";

// The library's own pruning drops rules of types that contain each other, and takes time exponential in the number of types: see
// docs/decisions/0176-plans-of-types-that-hold-each-other.md.

/** The library's plan for one field. */
interface FieldPlan {
  readonly field: DescField;
  readonly required: boolean;
  readonly legacyRequired: boolean;
  readonly condition: { readonly never: boolean };
  readonly pass: { prune(): boolean };
  /** Drops parts that can find nothing; true if the whole plan can be dropped. */
  prune(): boolean;
}

/** The library's module of plans. */
interface FieldPlans {
  readonly EvalField: { readonly prototype: FieldPlan };
}

/** True if a plan can find nothing in a field's value. Plans of messages are not entered, because they can be cyclic. */
function findsNothing({ field, condition, pass }: FieldPlan): boolean {
  if (condition.never) return true;
  return field.message === undefined ? pass.prune() : !hasOption(field, fieldOption) && !hasRules(field.message);
}

function prune(this: FieldPlan): boolean {
  return !this.required && !this.legacyRequired && findsNothing(this);
}

/** Patches the library: later plans keep all rules and take linear time. */
function pruneSoundly({ EvalField }: FieldPlans): void {
  EvalField.prototype.prune = prune;
}

const require = createRequire(import.meta.url);

/** Resolves a file as `import` does: `require` would load a second protobuf runtime. */
function load(file: string, folder: string): unknown {
  return require(fileURLToPath(new URL(file, folder)));
}

type Classes<Name extends string, Instance> = Readonly<Record<Name, { readonly prototype: Instance }>>;

let loaded: typeof protovalidate | undefined;

/** The library, patched once: docs/decisions/0176-plans-of-types-that-hold-each-other.md and 0207-rules-have-a-cost-limit.md. */
function library(): typeof protovalidate {
  if (loaded !== undefined) return loaded;
  const folder = import.meta.resolve("@bufbuild/protovalidate");
  pruneSoundly(load("eval.js", folder) as FieldPlans);
  const rules = load("cel.js", folder) as Classes<"CelManager", RuleEvaluator> &
    Classes<"EvalCustomCel" | "EvalExtendedRulesCel" | "EvalStandardRulesCel", RulesPlan>;
  const { EvalCustomCel, EvalExtendedRulesCel, EvalStandardRulesCel } = rules;
  nameCostlyRules(
    rules.CelManager.prototype,
    [EvalCustomCel, EvalExtendedRulesCel, EvalStandardRulesCel].map(({ prototype }) => prototype),
  );
  // The library's expression interpreter is not a direct dependency of this package.
  const interpreter = pathToFileURL(createRequire(folder).resolve("@bufbuild/cel")).href;
  chargeLoops((load("../esm/planner.js", interpreter) as Classes<"Planner", ExpressionPlanner>).Planner.prototype);
  return (loaded = load("index.js", folder) as typeof protovalidate);
}

/** A validator whose `validate` throws a CallError RESOURCE_EXHAUSTED that names the rule when a message's rules cost more than the limit. */
export function createRuleValidator(registry: Registry): Validator {
  const validator = library().createValidator({ registry });
  return {
    validate(schema, message) {
      const result = withCostLimit(() => validator.validate(schema, message));
      const costly = result.kind === "error" ? result.error.cause : undefined;
      if (!(costly instanceof RuleCostError)) return result;
      const { messagePath, ruleId } = costly;
      throw new CallError(
        "RESOURCE_EXHAUSTED",
        `${messagePath}: rule ${ruleId} exceeds the cost limit of ${ruleCostLimit.toLocaleString("en")}: simplify the rule or send fewer elements`,
        { reason: "RULE_COST_LIMIT", metadata: { rule: ruleId, field: messagePath } },
        { cause: costly },
      );
    },
  };
}
