// Fixes how the validation library prunes its plans. For types that contain each other, it also drops rules, and takes time exponential in the
// number of types. See docs/decisions/0176-plans-of-types-that-hold-each-other.md.
import { hasOption, type DescField } from "@bufbuild/protobuf";
import { field as fieldOption } from "../gen/buf/validate/validate_pb.ts";
import { hasRules } from "./has-rules.ts";

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
export interface FieldPlans {
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
export function pruneSoundly({ EvalField }: FieldPlans): void {
  EvalField.prototype.prune = prune;
}
