// What it does that a field can be absent, or no longer, on every style that has the same words for it as before.
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type { FieldChange } from "../change.ts";
import { mayBreak, safe, type Judgement } from "../judgement.ts";

/** Judges a change of presence. */
export function judgePresence({ before, after }: FieldChange): Judgement {
  return before.presence === Presence.EXPLICIT && after.presence === Presence.IMPLICIT
    ? mayBreak("zero can no longer be told from absent")
    : safe("values are the same; a zero from before may count as absent");
}
