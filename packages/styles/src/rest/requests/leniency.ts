// What a server accepts beyond the contract and ProtoJSON.

export interface Leniency {
  /** Whether unknown fields of a body are ignored. */
  readonly ignoresUnknown: boolean;
  /** Whether unknown query parameters are ignored. */
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

/** The same, with unknown fields and parameters ignored. */
export function ignoringUnknown(leniency: Leniency): Leniency {
  return { ...leniency, ignoresUnknown: true, ignoresParameters: true };
}
