// What can go wrong around a stack, apart from the calls themselves.
import { CodedError } from "@roundtrip/contract/coded-error";

/**
 * `unknown-stack`: no folder of that name. `cannot-listen`: port taken or host not ours. `unusable-contract`: the style has no way to
 * serve what the contract says. `unusable-setting`: the stack declares no such setting, or not this value of it.
 */
export type StackErrorCode = "unknown-stack" | "cannot-listen" | "unusable-contract" | "unusable-setting";

export class StackError extends CodedError<StackErrorCode> {
  override readonly name = "StackError";
}
