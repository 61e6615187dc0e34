// What arms of two versions have in common: the same work on the same stack in the same way.
import type { PlannedArm } from "../study/planned-arm.ts";

/** Equal for arms that differ in their version alone, or not at all. */
export function versionlessKey({
  configuration,
  answerKey,
  variant,
}: Pick<PlannedArm, "configuration" | "answerKey" | "variant">): string {
  return JSON.stringify([configuration.versionlessId, answerKey, variant]);
}
