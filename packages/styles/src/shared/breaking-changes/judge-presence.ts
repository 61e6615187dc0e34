// Judges a change of a field's presence, for styles in which its values keep their form.
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type { FieldChange } from "@roundtrip/contract/changes";
import { mayBreak, safe, type Judgement } from "../../basics/judgement.ts";

export function judgePresence({ before, after }: FieldChange): Judgement {
  return before.presence === Presence.EXPLICIT && after.presence === Presence.IMPLICIT
    ? mayBreak("zero and absent are no longer distinguishable")
    : safe("same values; a zero from before may count as absent");
}
