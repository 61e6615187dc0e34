// The interface of an attack: an action on a running server that throws if the server does not withstand it.
import type { Served } from "../served.ts";

export interface Attack {
  /** The action and its expected result, for reports and tests. */
  readonly name: string;
  /** True if the attack mostly waits for limits of the server. Such attacks run together. */
  readonly waits: boolean;
  /** Throws an Error with what the server did instead of answering or closing the connection within its limits. */
  readonly run: (target: Served) => Promise<void>;
}

export function expectThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
