// What arms of two versions have in common: the same work on the same stack in the same way.
import type { Arm } from "../study/arm.ts";

/** Equal for arms that differ in their version alone, or not at all. */
export function versionlessKey({
  configuration,
  answerKey,
  variant,
}: Pick<Arm, "configuration" | "answerKey" | "variant">): string {
  return JSON.stringify([configuration.alike, answerKey, variant]);
}
