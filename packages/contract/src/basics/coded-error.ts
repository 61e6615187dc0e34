// What the error classes of all packages have in common that know the contract. Loaded by itself, as `@roundtrip/contract/coded-error`: programs need the
// errors of packages before they need the packages.

/** An error with a message for people, and a code from a closed set for programs. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
