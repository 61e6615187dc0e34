// What a change is tried with, and what the calls say.
import type { JsonValue } from "@bufbuild/protobuf";
import type { ChangeVerdict } from "@roundtrip/changes";

/** One message as ProtoJSON, or the list of a stream's: in the words of the contract before, and the same in those of the contract after. */
export interface Words {
  readonly before: JsonValue;
  /** Undefined if the contract after cannot say it. */
  readonly after: JsonValue | undefined;
}

/** What one direction is tried with. */
export interface Probes {
  /** Ordinary values: if one does not arrive, the change breaks. */
  readonly values: readonly Words[];
  /** Values at the edge of a type, and values that are new: if one does not arrive, the change may break. */
  readonly edges: readonly Words[];
}

export interface Finding {
  readonly verdict: ChangeVerdict;
  readonly why: string | undefined;
}

/** Whether an experiment allows a verdict of `check`: what fails at the edge of a type may be called either. */
export function allows(tried: ChangeVerdict, verdict: ChangeVerdict): boolean {
  if (tried === "breaks") return verdict === "breaks";
  return tried === "may break" ? verdict !== "safe" : verdict !== "breaks";
}
