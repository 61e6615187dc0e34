// What a contract declares in its rules (buf.validate), in the complete vocabulary. A separate entry: it loads the descriptors of all rules with the first
// one, and clients should not.
import { getOption, hasOption, type DescField, type DescMessage, type DescOneof } from "@bufbuild/protobuf";
import type * as validate from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { memoize } from "../descriptors/components.ts";
import { isSentAlways } from "./field-behavior.ts";
import { declaresRules } from "./field-rules.ts";

export type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

const require = createRequire(import.meta.url);
let vocabulary: typeof validate | undefined;

/** Loaded for the first rule: many contracts have none. */
export function ruleVocabulary(): typeof validate {
  const path = "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
  return (vocabulary ??= require(fileURLToPath(import.meta.resolve(path))) as typeof validate);
}

/** Undefined if there are no rules, or they are to be ignored. Each question would decode them anew. */
export const rulesOfField = memoize((field: DescField): validate.FieldRules | undefined => {
  if (!declaresRules(field)) return undefined;
  const { field: option, Ignore } = ruleVocabulary();
  const rules = hasOption(field, option) ? getOption(field, option) : undefined;
  return rules?.ignore === Ignore.ALWAYS ? undefined : rules;
});

/** Whether one field of a oneof is always sent: by a rule, or because all of them are. */
export function isRequiredOneof(oneof: DescOneof): boolean {
  if (oneof.fields.every(isSentAlways)) return true;
  return declaresRules(oneof) && getOption(oneof, ruleVocabulary().oneof).required;
}

/** Fields of which at most one may be set, and exactly one if the group is required. */
export interface ExclusiveGroup {
  readonly fields: readonly DescField[];
  readonly isRequired: boolean;
}

/** The oneofs of a message's rules. Fields that it has not cannot be compiled there. */
export const exclusiveGroups = memoize((message: DescMessage): readonly ExclusiveGroup[] => {
  if (!declaresRules(message)) return [];
  const byName = new Map(message.fields.map((field) => [field.name, field]));
  return getOption(message, ruleVocabulary().message).oneof.flatMap(({ fields: names, required }) => {
    const fields = names.flatMap((name) => byName.get(name) ?? []);
    return fields.length === 0 ? [] : [{ fields, isRequired: required }];
  });
});
