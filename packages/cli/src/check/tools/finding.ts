// What a tool found when it compared two contracts.
import type { Change } from "../change.ts";

export interface Finding {
  /** The tool's name for its rule, such as `FIELD_SAME_NAME`. */
  readonly rule: string;
  /** In the tool's words. */
  readonly text: string;
  /** What it is about, in the tool's terms: shown when no change is known that it belongs to. */
  readonly where: string;
  /** Whether it was found because of this change. */
  isAbout(change: Change): boolean;
}
