// The Prefer header (RFC 7240). The only supported preference is to ignore unknown fields.

/** Ignores unknown fields (RFC 7240, section 4.4). */
export const lenient = "handling=lenient";

/** Matches in any case, with or without quotes, with optional blanks around the equals sign, among other preferences. */
const lenientPattern = /(?:^|,)\s*handling\s*=\s*(?:lenient|"lenient")\s*(?:[,;]|$)/i;

export function prefersLenient(prefer: string): boolean {
  return lenientPattern.test(prefer);
}
