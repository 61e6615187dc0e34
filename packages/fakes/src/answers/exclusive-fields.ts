// Which fields of a message are filled where `(buf.validate.message).oneof` allows only some of them.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { type ExclusiveGroup, exclusiveGroups, isRequiredOneof } from "@roundtrip/contract/declared-rules";
import { depthInside } from "./least-depth.ts";
import { isRequiredField } from "./rules.ts";

/** The decision about the fields of a message's groups. Fields outside of them are in neither set. */
export interface ChosenFields {
  /** Must be set: the only field of its group that is. */
  readonly needed: ReadonlySet<DescField>;
  /** Must not be set. */
  readonly left: ReadonlySet<DescField>;
}

/** A contract with more steps gets a message that may break its rules: groups that share fields can demand any number of them. */
const maxSteps = 10_000;
/** The same for one with more groups. */
const maxGroups = 1_000;

/** The required groups come first: a group that may be empty does not decide for them. */
function groupsOf(desc: DescMessage): readonly ExclusiveGroup[] {
  return exclusiveGroups(desc).toSorted((group, next) => Number(next.isRequired) - Number(group.isRequired));
}

/** Chooses at most one field of each group, and one of each required group; undefined if these candidates cannot satisfy them. */
function chosenAmong(desc: DescMessage, candidates: readonly DescField[]): ChosenFields | undefined {
  const groups = groupsOf(desc);
  if (groups.length > maxGroups) return undefined;
  const grouped = new Set(groups.flatMap(({ fields }) => fields));
  const ranked = [...candidates.filter(isRequiredField), ...candidates];
  let steps = 0;

  /** Whether a set of fields can be set together, and leaves a field to each group that must have one. */
  const isAllowed = (chosen: ReadonlySet<DescField>): boolean =>
    groups.every(({ fields }) => fields.filter((field) => chosen.has(field)).length <= 1) &&
    desc.oneofs.every(({ fields }) => fields.filter((field) => chosen.has(field)).length <= 1);
  const isComplete = (chosen: ReadonlySet<DescField>): boolean =>
    [...grouped].every((field) => chosen.has(field) || !isRequiredField(field)) &&
    desc.oneofs.every(
      (oneof) => !isRequiredOneof(oneof) || oneof.fields.some((field) => chosen.has(field) || !grouped.has(field)),
    );

  const search = (at: number, chosen: ReadonlySet<DescField>): ReadonlySet<DescField> | undefined => {
    const group = groups[at];
    if (group === undefined) return isComplete(chosen) ? chosen : undefined;
    if (group.fields.some((field) => chosen.has(field))) return search(at + 1, chosen);
    for (const field of ranked) {
      if (!group.fields.includes(field) || ++steps > maxSteps) continue;
      const more = new Set([...chosen, field]);
      const found = isAllowed(more) ? search(at + 1, more) : undefined;
      if (found !== undefined) return found;
    }
    return group.isRequired ? undefined : search(at + 1, chosen);
  };

  const chosen = search(0, new Set());
  if (chosen === undefined) return undefined;
  const required = groups.filter(({ isRequired }) => isRequired).flatMap(({ fields }) => fields);
  return {
    needed: new Set(required.filter((field) => chosen.has(field))),
    left: new Set([...grouped].filter((field) => !chosen.has(field))),
  };
}

/** No field of any group, if no message of the type is valid. */
function noneOf(desc: DescMessage): ChosenFields {
  return { needed: new Set(), left: new Set(groupsOf(desc).flatMap(({ fields }) => fields)) };
}

/** Chooses among the candidates. The first ones are preferred. */
export function chosenFields(desc: DescMessage, candidates: readonly DescField[]): ChosenFields {
  return chosenAmong(desc, candidates) ?? noneOf(desc);
}

/** Chooses the fields that need the fewest levels of messages. */
export function shallowFields(desc: DescMessage, candidates: readonly DescField[]): ChosenFields {
  const depths = [...new Set(candidates.map(depthInside))].toSorted((depth, next) => depth - next);
  for (const most of depths) {
    const chosen = chosenAmong(
      desc,
      candidates.filter((field) => depthInside(field) <= most),
    );
    if (chosen !== undefined) return chosen;
  }
  return noneOf(desc);
}
