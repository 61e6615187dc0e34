// Errors of a stack that are not errors of a call.
import { CodedError } from "@roundtrip/contract/coded-error";

/**
 * `unknown-stack`: no folder has that name. `cannot-listen`: the port is taken, or the host is not an address of this machine. `unusable-contract`:
 * the style cannot serve the contract. `unusable-setting`: the stack does not declare the setting, or does not allow its value. `missing-library`: an
 * optional library is not installed.
 */
export type StackErrorCode =
  | "unknown-stack"
  | "cannot-listen"
  | "unusable-contract"
  | "unusable-setting"
  | "missing-library";

export class StackError extends CodedError<StackErrorCode> {
  override readonly name = "StackError";
}
