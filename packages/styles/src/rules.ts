// How a style expresses the rules that apply to every style: its column of docs/rules.md.
import type { CanonicalCode } from "@roundtrip/contract";
import type { RuleForms } from "@roundtrip/contract/rules";

/** What every server limits. */
export type ServerLimit =
  | "connections"
  | "handshake"
  | "headers"
  | "wholeRequest"
  | "nextRequest"
  | "idleConnection"
  | "callsAtOnce"
  | "unreadAnswer"
  | "unreadBytes"
  | "messageSize"
  | "matrixQueue";

/** What `rules.ts` of a style exports as `rules`. Texts are Markdown. */
export interface StyleRules {
  /** How a call that ends so is seen on the wire. */
  readonly ending: { readonly heading: string; form(code: CanonicalCode | "OK"): string };
  readonly forms: RuleForms;
  /** What a client gets when it exceeds a limit; `–` where the style has no such thing. */
  readonly limits: Readonly<Record<ServerLimit, string>>;
  /** What no other style limits. */
  readonly ownLimits: readonly { readonly limit: string; readonly most: string; readonly form: string }[];
}
