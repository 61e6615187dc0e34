// Errors of styles, apart from failed calls.
import { CodedError } from "@roundtrip/contract/coded-error";

/** `unknown-style`: no folder of that name. `unusable-contract`: the style cannot serve the contract. */
export type StyleErrorCode = "unknown-style" | "unusable-contract";

export class StyleError extends CodedError<StyleErrorCode> {
  override readonly name = "StyleError";
}
