// Mends how the validation library leaves out of its plans what has no rules: for types that hold each other it leaves out rules as well, and takes a
// time that is exponential in their number. See docs/decisions/0176-plans-of-types-that-hold-each-other.md.
import { hasOption, type DescField } from "@bufbuild/protobuf";
import { field as fieldOption } from "./gen/buf/validate/validate_pb.ts";
import { hasRules } from "./has-rules.ts";

/** A part of the library's plan: what is done about one field. */
interface FieldPlan {
  readonly field: DescField;
  readonly required: boolean;
  readonly legacyRequired: boolean;
  readonly condition: { readonly never: boolean };
  readonly pass: { prune(): boolean };
  /** Leaves out what can find nothing; true when the whole part can be left out. */
  prune(): boolean;
}

/** The library's module of plans. */
export interface FieldPlans {
  readonly EvalField: { readonly prototype: FieldPlan };
}

/** What a plan finds in a field's value is nothing. Plans of messages are not entered: those that hold each other have no end. */
function findsNothing({ field, condition, pass }: FieldPlan): boolean {
  if (condition.never) return true;
  return field.message === undefined ? pass.prune() : !hasOption(field, fieldOption) && !hasRules(field.message);
}

function prune(this: FieldPlan): boolean {
  return !this.required && !this.legacyRequired && findsNothing(this);
}

/** Plans that are made from here on keep all rules, and take a time in proportion to the types that there are. */
export function pruneSoundly({ EvalField }: FieldPlans): void {
  EvalField.prototype.prune = prune;
}
