// What a caller prefers (RFC 7240): the one preference that is heeded is to have unknown fields ignored.

/** What a sender says who wants unknown fields to be ignored (RFC 7240, section 4.4). */
export const lenient = "handling=lenient";

/** Names are read in any case, values may be quoted, blanks may surround the equals sign, and other preferences stand beside it. */
const lenientPattern = /(?:^|,)\s*handling\s*=\s*(?:lenient|"lenient")\s*(?:[,;]|$)/i;

/** Whether a Prefer header asks for lenient handling. */
export function prefersLenient(prefer: string): boolean {
  return lenientPattern.test(prefer);
}
