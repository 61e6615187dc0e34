// Why a percentile of an arm under a load stands as a dash: below each table where one does.
import type { LateTail } from "@roundtrip/analysis";

const text = "–: a few tasks began late, by enough to move this percentile; mean and median stand.";

/** The sentence where a percentile of one of these arms is withheld; empty where none is. */
export function lateTailNote(lateTails: readonly LateTail[], armIds: readonly string[]): string {
  return lateTails.some(({ armId }) => armIds.includes(armId)) ? text : "";
}
