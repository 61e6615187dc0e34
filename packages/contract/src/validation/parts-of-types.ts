// A message type in parts, each with some of its fields and rules. A validator compiles the rules of a part once, as it does those of a type.
import {
  create,
  getOption,
  hasOption,
  setExtension,
  type DescField,
  type DescMessage,
  type DescOneof,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { MessageOptionsSchema } from "@bufbuild/protobuf/wkt";
import { memoize } from "../descriptors/components.ts";
import type { RuleParser } from "./macro-nesting.ts";

function withoutOptions<Desc extends DescField | DescMessage>(desc: Desc, changes: PropertyDescriptorMap): Desc {
  return Object.create(desc, { ...changes, proto: { value: { ...desc.proto, options: undefined } } }) as Desc;
}

function emptied(message: DescMessage): DescMessage {
  return withoutOptions(message, { fields: { value: [] }, oneofs: { value: [] } });
}

/** The type with one of its fields and no rules of its own. */
export const withOnly = memoize((field: DescField): DescMessage =>
  withoutOptions(field.parent, { fields: { value: [field] }, oneofs: { value: [] } }),
);

/** As {@link withOnly}, without the rules inside the field. */
export const withOnlyOutside = memoize((field: DescField): DescMessage => {
  const inner = field.message === undefined ? undefined : emptied(field.message);
  return withOnly(Object.create(field, { message: { value: inner } }) as DescField);
});

function fieldsWithoutRules({ fields }: DescMessage): readonly DescField[] {
  return fields.map((field) => withoutOptions(field, { message: { value: field.message && emptied(field.message) } }));
}

/** The type with its own rules, which may name its fields. The fields and the messages in them have no rules. */
export function withOwnRules(message: DescMessage): DescMessage {
  return Object.create(message, { fields: { value: fieldsWithoutRules(message) } }) as DescMessage;
}

/** One rule of a message, and the fields that it is about. */
export interface OwnRule {
  readonly type: DescMessage;
  readonly fields: readonly string[];
  /** Whether the rule is for any of the fields; otherwise, it needs all of them. */
  readonly isForAny: boolean;
}

function fieldsRead(expression: string): readonly string[] {
  return [...expression.matchAll(/\bthis\.(\w+)/g)].map(([, name = ""]) => name);
}

/** The rules of a message itself, each with a type that has no other. */
export function ownRules(message: DescMessage, { options }: RuleParser): readonly OwnRule[] {
  const fields = { value: fieldsWithoutRules(message) };
  const withRule = (rules: MessageInitShape<typeof options.MessageRulesSchema>): DescMessage => {
    const own = create(MessageOptionsSchema);
    setExtension(own, options.message, create(options.MessageRulesSchema, rules));
    return Object.create(message, {
      fields,
      oneofs: { value: [] },
      proto: { value: { ...message.proto, options: own } },
    }) as DescMessage;
  };
  const { cel, celExpression, oneof } = getOption(message, options.message);
  const isNeeded = (group: DescOneof): boolean =>
    hasOption(group, options.oneof) && getOption(group, options.oneof).required;
  return [
    ...cel.map((rule) => ({
      type: withRule({ cel: [rule] }),
      fields: fieldsRead(rule.expression),
      isForAny: false,
    })),
    ...celExpression.map((text) => ({
      type: withRule({ celExpression: [text] }),
      fields: fieldsRead(text),
      isForAny: false,
    })),
    ...oneof.map((rule) => ({ type: withRule({ oneof: [rule] }), fields: rule.fields, isForAny: true })),
    ...message.oneofs.filter(isNeeded).map((group) => ({
      type: withoutOptions(message, { fields, oneofs: { value: [group] } }),
      fields: group.fields.map(({ name }) => name),
      isForAny: true,
    })),
  ];
}
