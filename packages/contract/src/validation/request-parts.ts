// The parts of a request whose rules apply: all of it, or of a partial update what it changes.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { type MaskedFields, wholeField } from "../calls/field-masks.ts";
import { memoize } from "../descriptors/components.ts";
import type { Contract } from "../descriptors/contract.ts";
import { messagesIn } from "./field-behavior.ts";
import type { RuleParser } from "./macro-nesting.ts";
import { leadsToMask, type Written, writtenIn, writtenOf } from "./partial-updates.ts";
import { ownRules, type OwnRule, withOnly, withOnlyOutside } from "./parts-of-types.ts";
import { CostMeter, messageCost } from "./rule-cost.ts";

/** A message, and a type that has only those of its fields and rules that apply. */
export interface RulePart {
  readonly type: DescMessage;
  readonly message: Message;
  /** The path of the message in the request, with a dot behind it. */
  readonly prefix: string;
}

/** The rule parts of a request. Throws RESOURCE_EXHAUSTED for too many messages. */
export type RulePartsOf = (type: DescMessage, request: Message) => readonly RulePart[];

function appliesTo(fields: MaskedFields | undefined, rule: OwnRule): boolean {
  if (fields === undefined) return true;
  const whole = new Set([...fields].filter(([, branch]) => branch === wholeField).map(([{ name }]) => name));
  return rule.isForAny ? rule.fields.some((name) => whole.has(name)) : rule.fields.every((name) => whole.has(name));
}

export function rulePartsOf(contract: Contract, parser: RuleParser): RulePartsOf {
  const rulesOf = memoize((type: DescMessage) => ownRules(type, parser));
  const visit = (
    message: ReflectMessage,
    { prefix, written, meter }: { readonly prefix: string; readonly written: Written; readonly meter: CostMeter },
  ): readonly RulePart[] => {
    const { desc } = message;
    meter.spend(messageCost + desc.fields.length);
    const fields = written ?? writtenOf(contract, message);
    const rules = rulesOf(desc).filter((rule) => appliesTo(fields, rule));
    const exclusive = new Set(rulesOf(desc).flatMap((rule) => (rule.isForAny ? rule.fields : [])));
    const inField = (field: DescField): readonly RulePart[] => {
      const branch = fields === undefined ? wholeField : fields.get(field);
      // In a oneof of rules, fields may be empty.
      if (branch === undefined || (exclusive.has(field.name) && !message.isSet(field))) return [];
      const messages = message.isSet(field) ? [...messagesIn(message, field)] : [];
      const inside = messages.map(([index, inner]) => ({
        inner,
        path: `${prefix}${field.name}${index}.`,
        written: branch === wholeField ? writtenIn(contract, message, field, inner) : branch,
      }));
      const isPartial =
        inside.some((part) => part.written !== undefined) ||
        (fields === undefined && field.message !== undefined && leadsToMask(field.message));
      if (!isPartial) return [{ type: withOnly(field), message: message.message, prefix }];
      return [
        { type: withOnlyOutside(field), message: message.message, prefix },
        ...inside.flatMap((part) => visit(part.inner, { prefix: part.path, written: part.written, meter })),
      ];
    };
    return [...desc.fields.flatMap(inField), ...rules.map(({ type }) => ({ type, message: message.message, prefix }))];
  };
  return (type, request) =>
    leadsToMask(type)
      ? visit(reflect(type, request, false), { prefix: "", written: undefined, meter: new CostMeter() })
      : [{ type, message: request, prefix: "" }];
}
