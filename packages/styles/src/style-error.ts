// What can go wrong around a style, apart from the calls themselves.
import { CodedError } from "@roundtrip/contract/coded-error";

/** `unknown-style`: no folder of that name. `unusable-contract`: the style has no way to serve what the contract says. */
export type StyleErrorCode = "unknown-style" | "unusable-contract";

export class StyleError extends CodedError<StyleErrorCode> {
  override readonly name = "StyleError";
}
