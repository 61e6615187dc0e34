// Counts of a resource's children, by their names: the `review_count` of a hotel is the length of its list of reviews.
import type { DescField, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { hasBehavior } from "@roundtrip/contract/field-rules";
import { isPluralOf, type Resource } from "@roundtrip/contract/resources";
import { countedNoun, countsIn, setInteger } from "../answers/coherent.ts";
import { rulesOfField } from "../answers/rules.ts";
import { integerFits, integerRange } from "../answers/values/number-value.ts";

/** A field, and the children that it counts. */
export interface ChildCount {
  readonly field: DescField;
  readonly child: Resource;
}

/** Fields that count a list of the resource itself are none. */
export function childCounts({ message }: Resource, children: readonly Resource[]): readonly ChildCount[] {
  const own = new Set(countsIn(message, message).map(([count]) => count));
  return message.fields.flatMap((field) => {
    const noun = own.has(field) ? undefined : countedNoun(field);
    const child = noun && children.find(({ singular }) => isPluralOf(noun, singular));
    return child ? [{ field, child }] : [];
  });
}

function fits(field: DescField, count: number): boolean {
  const range = field.scalar === undefined ? undefined : integerRange(field.scalar);
  const rules = rulesOfField(field);
  return range !== undefined && (rules === undefined || integerFits(range, rules.type.value)(BigInt(count)));
}

/** Sets the counts that rules allow. @param isWritten whether to keep what a caller may have sent */
export function setChildCounts(
  { message: desc }: Resource,
  message: Message,
  counts: readonly ChildCount[],
  countOf: (child: Resource) => number | undefined,
  isWritten = false,
): void {
  const target = reflect(desc, message, false);
  for (const { field, child } of counts) {
    const count = isWritten && target.isSet(field) && !hasBehavior(field, "output-only") ? undefined : countOf(child);
    if (count !== undefined && fits(field, count)) setInteger(target, field, count);
  }
}
