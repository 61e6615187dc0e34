// What a request may contain beyond the contract.

export interface UnknownFields {
  readonly areIgnored: boolean;
  /** Query parameters of the dialect, which are ignored unless a field has the name. */
  readonly parameters: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export const refusedFields: UnknownFields = { areIgnored: false, parameters: none };
export const ignoredFields: UnknownFields = { areIgnored: true, parameters: none };
