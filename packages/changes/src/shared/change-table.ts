// A style's judgements as a table: one for each kind of change, and those that are the same in several styles.
import {
  isReceived,
  isSent,
  type Change,
  type ChangeKind,
  type TypeAddedOrRemoved,
  type FieldChange,
} from "../diff/change.ts";
import { type BreakingChanges, type ComparedContracts, breaks, mayBreak, safe, type Judgement } from "../judgement.ts";
import { judgeRules } from "./rules.ts";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";

export type ChangeTable = {
  readonly [Kind in ChangeKind]:
    | Judgement
    | ((change: Change & { readonly kind: Kind }, contracts: ComparedContracts) => Judgement);
};

export function judgeBy(table: ChangeTable): BreakingChanges["judge"] {
  return (change, contracts) => {
    const entry = table[change.kind] as Judgement | ((of: Change, contracts: ComparedContracts) => Judgement);
    return typeof entry === "function" ? entry(change, contracts) : entry;
  };
}

export const inEveryStyle = {
  "operation-added": safe("nobody calls it yet"),
  "type-removed": ({ locations, replacement }: TypeAddedOrRemoved) => {
    if (isSent(locations)) return breaks("the server cannot read an Any that has it");
    return replacement === undefined
      ? mayBreak("calls succeed without it")
      : breaks("callers cannot read an Any that has it under its new name");
  },
  "type-added": ({ locations }: TypeAddedOrRemoved) =>
    isReceived(locations)
      ? mayBreak("callers may receive an Any of a type that they do not know")
      : safe("nobody sends it yet"),
  "message-rules-changed": judgeRules,
  "field-default-changed": mayBreak("an absent value means something else to each side"),
  "field-utf8-changed": safe("text is UTF-8 in its documents"),
  "field-rules-changed": judgeRules,
} satisfies Partial<ChangeTable>;

/** Of a style that does not use HTTP bindings. */
export function withoutBindings(
  reason: string,
): Pick<ChangeTable, "binding-added" | "binding-removed" | "binding-changed"> {
  return { "binding-added": safe(reason), "binding-removed": safe(reason), "binding-changed": safe(reason) };
}

export function judgePresence({ before, after }: FieldChange): Judgement {
  return before.presence === Presence.EXPLICIT && after.presence === Presence.IMPLICIT
    ? mayBreak("zero and absent are no longer distinguishable")
    : safe("same values; a zero from before may count as absent");
}
