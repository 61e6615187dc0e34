// What an attack is: something to do to a running server, which throws when the server does not stand it as it should.
import type { Served } from "../served.ts";

export interface Attack {
  /** In plain words, for reports and tests: what is done, and what comes of it. */
  readonly name: string;
  /** Most of its time the server's limits run out: such attacks are made together. */
  readonly waits: boolean;
  /** Throws an Error that says what the server did instead of answering or hanging up within its limits. */
  readonly run: (target: Served) => Promise<void>;
}

export function expectThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
