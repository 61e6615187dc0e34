// The type of attacks on a style's own features. Attacks on HTTP/1.1 and HTTP/2 are the same for each style and are not among them.
import type { MisuseAttempt } from "./misuse.ts";

/** An entry of what `attacks.ts` of a style exports as `attacks`: a valid call, corrupted, which the server must refuse. */
export interface StyleAttack extends MisuseAttempt {
  /** For example `a document with ten thousand aliases is refused`. */
  readonly name: string;
}
