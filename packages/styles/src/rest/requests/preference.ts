// The Prefer header (RFC 7240): the only supported preference is to ignore unknown fields.

/** The preference that unknown fields are ignored (RFC 7240, section 4.4). */
export const lenient = "handling=lenient";

/** Names in any case, values with or without quotes, optional blanks around the equals sign, among other preferences. */
const lenientPattern = /(?:^|,)\s*handling\s*=\s*(?:lenient|"lenient")\s*(?:[,;]|$)/i;

/** Whether a Prefer header asks for lenient handling. */
export function prefersLenient(prefer: string): boolean {
  return lenientPattern.test(prefer);
}
