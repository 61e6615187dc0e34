// What a server accepts beyond the contract and ProtoJSON.

export interface Leniency {
  readonly ignoresUnknown: boolean;
  /** Query parameters of the dialect, which are ignored unless a field has the name. */
  readonly parameters: ReadonlySet<string>;
  /** Whether field masks in a URL may name fields as the contract does (`create_time`). */
  readonly readsContractPaths: boolean;
}

export const strict: Leniency = { ignoresUnknown: false, parameters: new Set(), readsContractPaths: false };
