// What is known of each arm by itself, before arms are compared.
import type { Arm } from "../run/run-facts.ts";
import type { Distribution } from "./distribution-of.ts";
import type { ArmGarbage } from "./garbage.ts";
import type { Summary } from "./summary.ts";

export interface MeasuredArms {
  readonly arms: readonly Arm[];
  readonly summaries: readonly Summary[];
  readonly distributions: readonly Distribution[];
  /** Garbage collections of both processes. */
  readonly garbage: readonly ArmGarbage[];
}
