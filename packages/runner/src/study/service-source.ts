// The contract and the service that processes load.

/** The contract that a process loads: the built-in one, or a compiled descriptor set. */
export type ContractSource = { readonly kind: "built-in" } | { readonly kind: "image"; readonly path: string };

/** A module that exports factories like `realService(contract, settings)`, which make the service of a server process. */
export interface ServiceSource {
  readonly module: string;
  readonly factory: string;
  /** A second contract, which the factory gets as its third argument; absent for none. */
  readonly otherContract?: ContractSource;
}
