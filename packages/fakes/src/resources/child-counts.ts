// What a resource says of its children, by the names of its fields: the `review_count` of a hotel is the length of its list of reviews, and its `rating`
// their mean. What refers to a resource counts too: the loans of a member, if loans are a collection of their own.
import { type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { rulesOfField } from "@roundtrip/contract/declared-rules";
import { hasBehavior } from "@roundtrip/contract/field-rules";
import { isPluralOf, type Resource } from "@roundtrip/contract/resources";
import { countedNoun, countsIn, setInteger } from "../answers/coherent.ts";
import { hasFreeRules } from "../answers/rules.ts";
import { fractionFits, integerFits, integerRange } from "../answers/values/number-value.ts";

/** What belongs to a resource: a child, or with `by` what refers to it by this field. */
export interface Belonging {
  readonly child: Resource;
  readonly by?: DescField | undefined;
}

/** A field, and what it counts. */
export interface ChildCount extends Belonging {
  readonly field: DescField;
  /** The field of the children whose mean it is; undefined for their number. */
  readonly mark: DescField | undefined;
}

const marks = /^(?:rating|score|stars)$/;
const means = /^(?:(?:average|avg|mean)_)?(?:rating|score|stars)(?:_(?:average|avg|mean))?$/;

function isFraction({ scalar }: DescField): boolean {
  return scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT;
}

function isMark(field: DescField): boolean {
  const isNumber = isFraction(field) || (field.scalar !== undefined && integerRange(field.scalar) !== undefined);
  return field.fieldKind === "scalar" && field.oneof === undefined && isNumber && marks.test(field.name);
}

/** The field of a resource whose mean its parent may have; undefined without one, or where values of it depend on others. */
export function markOf({ message }: Resource): DescField | undefined {
  return hasFreeRules(message) ? undefined : message.fields.find(isMark);
}

/** Fields that count a list of the resource itself are none. */
export function childCounts({ message }: Resource, belonging: readonly Belonging[]): readonly ChildCount[] {
  const own = new Set(countsIn(message, message).map(([count]) => count));
  return message.fields.flatMap((field): readonly ChildCount[] => {
    const noun = own.has(field) ? undefined : countedNoun(field);
    const counted = noun && belonging.find(({ child }) => isPluralOf(noun, child.singular));
    if (counted) return [{ field, ...counted, mark: undefined }];
    if (field.fieldKind !== "scalar" || !isFraction(field) || !means.test(field.name)) return [];
    const children = belonging.filter(({ by }) => by === undefined);
    const marked = children.map(({ child }) => ({ field, child, mark: markOf(child) }));
    return marked.filter(({ mark }) => mark !== undefined).slice(0, 1);
  });
}

function fits(field: DescField, value: number): boolean {
  const range = field.scalar === undefined ? undefined : integerRange(field.scalar);
  const rules = rulesOfField(field)?.type.value;
  return range === undefined ? fractionFits(rules)(value) : integerFits(range, rules)(BigInt(value));
}

function setNumber(target: ReflectMessage, field: DescField, value: number): void {
  if (isFraction(field)) target.set(field, value);
  else setInteger(target, field, value);
}

/** In tenths, as ratings usually are; 0 without values. */
export function meanOf(values: readonly number[]): number {
  const sum = values.reduce((all, value) => all + value, 0);
  return values.length === 0 ? 0 : Math.round((sum / values.length) * 10) / 10;
}

/** Sets the values that rules allow. @param isWritten whether to keep what a caller may have sent */
export function setChildCounts(
  { message: desc }: Resource,
  message: Message,
  counts: readonly ChildCount[],
  valueOf: (count: ChildCount) => number | undefined,
  isWritten = false,
): void {
  const target = reflect(desc, message, false);
  for (const count of counts) {
    const { field } = count;
    const value = isWritten && target.isSet(field) && !hasBehavior(field, "output-only") ? undefined : valueOf(count);
    if (value === undefined || !fits(field, value)) continue;
    setNumber(target, field, value);
  }
}
