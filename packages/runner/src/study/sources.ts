// What serves the arms: the contract and service of a server process, targets that run already, and versions to compare.

/** The contract that a process loads: the built-in one, or a compiled descriptor set. */
export type ContractSource = { readonly kind: "built-in" } | { readonly kind: "image"; readonly path: string };

/** A module that exports factories like `realService(contract, settings)`, which make the service of a server process. */
export interface ServiceSource {
  readonly module: string;
  readonly factory: string;
  /** A second contract, which the factory gets as its third argument; absent for none. */
  readonly otherContract?: ContractSource;
}

export interface Target {
  readonly stack: string;
  readonly url: string;
  /** Certificate authority in PEM for https; undefined trusts the system's. */
  readonly ca: string | undefined;
  /** The environment variable with the bearer token of its callers; undefined sends none. The token itself is never recorded. */
  readonly tokenVariable: string | undefined;
}

/** The address for reports and records: without user name, password, query and fragment. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return pathname === "/" ? origin : `${origin}${pathname}`;
}

/** A program that serves one stack. It listens on `{port}` or on that of the variable PORT, or prints its address. It is started without a shell. */
export interface ServerCommand {
  readonly kind: "command";
  /** The program and its arguments; `{port}` in them stands for a free port, which is also in the variable PORT. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** In addition to the runner's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment variable with the bearer token of its callers; absent for none. */
  readonly tokenVariable?: string;
  /** Certificate authority in PEM of its https address; absent for a server without TLS, or to trust the system's. */
  readonly ca?: string;
}

/** A folder with this project's sources and their dependencies: its own server process is started, as for any run. */
export interface ServerCheckout {
  readonly kind: "checkout";
  readonly folder: string;
}

/** This program's own server process, with a contract and a service of the version. */
export interface ServerOfContract {
  readonly kind: "contract";
  readonly contract: ContractSource;
  readonly service: ServiceSource;
}

/** A server that runs already, and goes on after the run. Its CPU time is unknown. */
export interface ServerAtTarget {
  readonly kind: "target";
  readonly target: Target;
}

export type ServerSource = ServerCommand | ServerCheckout | ServerOfContract | ServerAtTarget;

export interface Version {
  readonly name: "base" | "head";
  server(stack: string): ServerSource;
}
