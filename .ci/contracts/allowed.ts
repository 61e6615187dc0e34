// Deviations of public contracts that are accepted, each with its reason.
import type { Allowance } from "../outside/suite.ts";

export interface ContractAllowance extends Omit<Allowance, "stacks"> {
  /** The contract that deviates; undefined for every one. */
  readonly contract: string | undefined;
}

export const allowed: readonly ContractAllowance[] = [];
