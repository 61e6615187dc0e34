// How strictly requests are read: by the dialect, and by the header Prefer.

// What a server accepts beyond the contract and ProtoJSON.

export interface Leniency {
  readonly ignoresUnknown: boolean;
  readonly ignoresParameters: boolean;
  /** Query parameters of the dialect, which are ignored unless a field has the name. */
  readonly parameters: ReadonlySet<string>;
  /** Whether field masks in a URL may name fields as the contract does (`create_time`). */
  readonly readsContractPaths: boolean;
  /** Whether values in a URL are read as Go reads them, and parameters as grpc-gateway does. */
  readonly readsGoValues: boolean;
}

export const strict: Leniency = {
  ignoresUnknown: false,
  ignoresParameters: false,
  parameters: new Set(),
  readsContractPaths: false,
  readsGoValues: false,
};

export function ignoringUnknown(leniency: Leniency): Leniency {
  return { ...leniency, ignoresUnknown: true, ignoresParameters: true };
}

// The Prefer header (RFC 7240). The only supported preference is to ignore unknown fields.

/** Ignores unknown fields (RFC 7240, section 4.4). */
export const lenient = "handling=lenient";

/** Matches in any case, with or without quotes, with optional blanks around the equals sign, among other preferences. */
const lenientPattern = /(?:^|,)\s*handling\s*=\s*(?:lenient|"lenient")\s*(?:[,;]|$)/i;

export function prefersLenient(prefer: string): boolean {
  return lenientPattern.test(prefer);
}
