// Compares the validation rules (buf.validate) and behaviors (google.api.field_behavior) of a field, and the rules of a message, before and after a change.
import { getOption, hasOption, type DescField, type DescMessage } from "@bufbuild/protobuf";
import type { FieldOptions, MessageOptions, OneofOptions } from "@bufbuild/protobuf/wkt";
import { field as fieldRules } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import {
  hasBehavior,
  limitsOf,
  requiresValue,
  type FieldBehavior,
  type Limits,
  validateOption,
} from "@roundtrip/contract/field-rules";

type Options = Pick<FieldOptions | MessageOptions | OneofOptions, "$unknown">;

/** The rules as bytes, unknown ones included; empty without rules. */
function rulesIn(options: Options | undefined): string {
  const rules = options?.$unknown?.filter(({ no }) => no === validateOption) ?? [];
  return rules.map(({ data }) => Buffer.from(data).toString("base64")).join(" ");
}

function ofField({ proto }: DescField): string {
  return rulesIn(proto.options);
}

function ofMessage({ proto, oneofs }: DescMessage): string {
  return [proto.options, ...oneofs.map((oneof) => oneof.proto.options)].map(rulesIn).join(" ");
}

const behaviors = ["required", "output-only", "input-only", "immutable"] as const satisfies readonly FieldBehavior[];

/** The behaviors that a field has, and the other has not. */
export function behaviorsBeyond(other: DescField, field: DescField): readonly FieldBehavior[] {
  return behaviors.filter((behavior) => hasBehavior(field, behavior) && !hasBehavior(other, behavior));
}

export function haveSameRules(before: DescField, after: DescField): boolean {
  const areSameBehaviors = behaviorsBeyond(before, after).length + behaviorsBeyond(after, before).length === 0;
  return areSameBehaviors && ofField(before) === ofField(after);
}

/** The same for a message's own rules and those of its oneofs. */
export function haveSameMessageRules(before: DescMessage, after: DescMessage): boolean {
  return ofMessage(before).trim() === ofMessage(after).trim();
}

function hasRules(field: DescField): boolean {
  return ofField(field) !== "";
}

const leasts = ["minLength", "minItems", "minimum"] as const;
const mosts = ["maxLength", "maxItems", "maximum"] as const;

/** Above 1 is from 2 on: limits of numbers are those of whole ones. */
function inclusive({ exclusiveMinimum, exclusiveMaximum, ...limits }: Limits): Limits {
  return {
    ...limits,
    ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum + 1 }),
    ...(exclusiveMaximum === undefined ? {} : { maximum: exclusiveMaximum - 1 }),
  };
}

function figures(before: Limits, after: Limits, keys: readonly (keyof Limits)[], sign: 1 | -1): readonly number[] {
  return keys.flatMap((key) => {
    const older = before[key];
    const newer = after[key];
    if (older === newer) return [];
    if (typeof newer !== "number") return [-1];
    return [typeof older === "number" ? Math.sign(newer - older) * sign : 1];
  });
}

/** Whether some rules cannot be compared as figures: CEL, patterns, lists of values, formats. */
function isBeyondFigures(field: DescField): boolean {
  if (!hasOption(field, fieldRules)) return false;
  const rules = getOption(field, fieldRules);
  const inner = (rules.type.value ?? {}) as Options;
  const keysKnown = rules.$unknown === undefined && inner.$unknown === undefined;
  return (
    !keysKnown ||
    limitsOf(field).pattern !== undefined ||
    (rules.type.case !== undefined && Object.keys(limitsOf(field)).length === 0)
  );
}

/** `required`: a request without the field was accepted, and is refused now. `looser`: every request that was accepted still is. */
export function tendency(before: DescField, after: DescField): "required" | "tighter" | "looser" | "other" {
  if (!requiresValue(before) && requiresValue(after)) return "required";
  if (behaviorsBeyond(before, after).includes("required")) return "tighter";
  if (!hasRules(after)) return "looser";
  const [older, newer] = [inclusive(limitsOf(before)), inclusive(limitsOf(after))];
  const signs = [...figures(older, newer, leasts, 1), ...figures(older, newer, mosts, -1)];
  if (signs.some((sign) => sign > 0)) return "tighter";
  return isBeyondFigures(before) || isBeyondFigures(after) ? "other" : "looser";
}

/** The rules as text: `minLength 1, maxLength 10`. */
export function rulesText(field: DescField): string {
  const texts = [
    ...(requiresValue(field) ? ["required"] : []),
    ...behaviors.filter((behavior) => behavior !== "required" && hasBehavior(field, behavior)),
    ...Object.entries(limitsOf(field)).map(([name, figure]) => `${name} ${figure}`),
  ];
  if (texts.length > 0) return texts.join(", ");
  return hasRules(field) ? "other rules" : "no rules";
}
