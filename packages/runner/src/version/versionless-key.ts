// A key for arms that do the same work on the same stack, whatever the version.
import type { PlannedArm } from "../study/planned-arm.ts";

/** Equal for arms that differ in their version alone, or not at all. */
export function versionlessKey({
  configuration,
  answerKey,
  variant,
}: Pick<PlannedArm, "configuration" | "answerKey" | "variant">): string {
  return JSON.stringify([configuration.versionlessId, answerKey, variant]);
}
