// Limits how deep macros nest in the CEL expressions of a contract's rules. Evaluation is synchronous, so nothing can interrupt it: seven nested `all`
// over ten elements take minutes.
import type { parse } from "@bufbuild/cel";
import { getOption, hasOption, type DescMessage, type Registry } from "@bufbuild/protobuf";
import type * as validateOptions from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { optionPosition } from "../descriptors/source-info.ts";
import type { Expression } from "./expression-cost.ts";
import { validateOption } from "./field-rules.ts";

/** The deepest nesting of macros in a rule. Lists that a macro makes for another (`x.map(…).map(…)`) count as nested, since each can double a text. */
const maxMacroNesting = 3;

function partsOf({ exprKind: { case: kind, value } }: Expression): readonly (Expression | undefined)[] {
  switch (kind) {
    case "selectExpr":
      return [value.operand];
    case "callExpr":
      return [value.target, ...value.args];
    case "listExpr":
      return value.elements;
    case "structExpr":
      return value.entries.flatMap((entry) => [
        entry.value,
        entry.keyKind.case === "mapKey" ? entry.keyKind.value : undefined,
      ]);
    case "comprehensionExpr":
      return [value.iterRange, value.accuInit, value.loopCondition, value.loopStep, value.result];
    default:
      return [];
  }
}

/** How many macros nest in an expression; each is a comprehension once parsed. */
function nestingOf(expression: Expression): number {
  const own = expression.exprKind.case === "comprehensionExpr" ? 1 : 0;
  let most = 0;
  for (const part of partsOf(expression)) if (part !== undefined) most = Math.max(most, nestingOf(part));
  return own + most;
}

/** Rules of a message, a field, or an extension that predefines a rule. */
export interface ExpressionRules {
  readonly cel: readonly { readonly id: string; readonly expression: string }[];
  readonly celExpression?: readonly string[];
}

/** The rules of a field, and those of its items, keys and values. */
function rulesOf(rules: validateOptions.FieldRules): readonly ExpressionRules[] {
  const { type } = rules;
  if (type.case === "repeated") return [rules, ...(type.value.items === undefined ? [] : [type.value.items])];
  if (type.case !== "map") return [rules];
  return [rules, ...[type.value.keys, type.value.values].filter((inner) => inner !== undefined)];
}

/** The library's parser, and the options with rules. The caller loads them, because contracts with plain rules need neither. */
export interface RuleParser {
  readonly parse: typeof parse;
  readonly options: typeof validateOptions;
}

/** Throws an Error for the first rule of these types, or predefined by an extension of the registry, that nests more macros than the limit. */
export function checkMacroNesting(
  { parse: parseRule, options }: RuleParser,
  types: Iterable<DescMessage>,
  registry: Registry,
): void {
  const nestingIn = (expression: string): number => {
    try {
      return nestingOf(parseRule(expression).expr);
    } catch {
      // A rule that cannot be parsed is reported when it is compiled.
      return 0;
    }
  };
  const check = (element: string, positionOf: () => string, { cel, celExpression = [] }: ExpressionRules): void => {
    for (const { id, expression } of [...cel, ...celExpression.map((text) => ({ id: text, expression: text }))]) {
      const nesting = nestingIn(expression);
      if (nesting <= maxMacroNesting) continue;
      throw new Error(
        `${positionOf()}rule ${id} of ${element} nests ${nesting} macros (all, exists, map, filter …); at most ${maxMacroNesting}`,
      );
    }
  };
  for (const type of types) {
    check(type.typeName, () => optionPosition(type, validateOption), getOption(type, options.message));
    for (const field of type.fields) {
      if (!hasOption(field, options.field)) continue;
      for (const rules of rulesOf(getOption(field, options.field))) {
        check(`${type.typeName}.${field.name}`, () => optionPosition(field, validateOption), rules);
      }
    }
  }
  for (const desc of registry) {
    if (desc.kind === "extension") check(desc.typeName, () => "", getOption(desc, options.predefined));
  }
}
