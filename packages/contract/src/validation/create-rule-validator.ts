// Loads the validation library on first use. With its expression interpreter it is a third of all modules of a server, and a contract with
// plain rules does not need it as long as requests follow them.
import { hasOption, type DescField, type DescMessage, type Registry } from "@bufbuild/protobuf";
import type * as protovalidate from "@bufbuild/protovalidate";
import type { Validator } from "@bufbuild/protovalidate";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { memoize } from "../descriptors/components.ts";
import type { Contract } from "../descriptors/contract.ts";
import { field as fieldOption } from "../gen/buf/validate/validate_pb.ts";
import { hasRules } from "./field-rules.ts";
import { checkMacroNesting, type RuleParser } from "./macro-nesting.ts";
import { rulePartsOf, type RulePartsOf } from "./request-parts.ts";
import { ruleCosts, type FindRuleCost } from "./rule-cost.ts";

// The library's own pruning drops rules of types that contain each other, and takes time exponential in the number of types. So it is replaced: the only
// read of a library's private file.

interface FieldPlan {
  readonly field: DescField;
  readonly required: boolean;
  readonly legacyRequired: boolean;
  readonly condition: { readonly never: boolean };
  readonly pass: { prune(): boolean };
  /** Drops parts that can find nothing; true if the whole plan can be dropped. */
  prune(): boolean;
}

interface Plans {
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

const require = createRequire(import.meta.url);

/** Loads a module by its URL as `import` does: `require` of a name would load a second protobuf runtime. */
function load(url: string): unknown {
  return require(fileURLToPath(url));
}

let loaded: typeof protovalidate | undefined;

/** The library. Its plans keep all rules, and take linear time. */
function library(): typeof protovalidate {
  if (loaded !== undefined) return loaded;
  const index = import.meta.resolve("@bufbuild/protovalidate");
  (load(new URL("eval.js", index).href) as Plans).EvalField.prototype.prune = prune;
  return (loaded = load(index) as typeof protovalidate);
}

/** The same for the same registry: it keeps what it has compiled of the rules. */
export const ruleValidator = memoize((registry: Registry): Validator => library().createValidator({ registry }));

/** As {@link ruleValidator}; stops at the first broken rule. */
export const quickRuleValidator = memoize((registry: Registry): Validator =>
  library().createValidator({ registry, failFast: true }),
);

function ruleParser(): RuleParser {
  const { parse } = load(import.meta.resolve("@bufbuild/cel")) as Pick<RuleParser, "parse">;
  const options = load(import.meta.resolve("@bufbuild/protovalidate/gen/buf/validate/validate_pb.js"));
  return { parse, options: options as RuleParser["options"] };
}

/** Loads the library before somebody waits for it. */
export function loadRuleLibrary(): void {
  library();
  ruleParser();
}

/** Throws an Error for the first rule in these types, or predefined in the registry, that nests more macros than a call may cost. */
export function checkMacros(types: Iterable<DescMessage>, registry: Registry): void {
  checkMacroNesting(ruleParser(), types, registry);
}

export function createRuleParts(contract: Contract): RulePartsOf {
  return rulePartsOf(contract, ruleParser());
}

export function createRuleCost(registry: Registry): FindRuleCost {
  return ruleCosts(ruleParser(), registry);
}
