// How a style expresses the rules that apply to every style: its column of docs/rules.md.
import type { CanonicalCode } from "@roundtrip/contract";
import type { RuleForms } from "@roundtrip/contract/rules";

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
  /** How the code of a call appears on the wire. */
  readonly ending: { readonly heading: string; form(code: CanonicalCode | "OK"): string };
  readonly forms: RuleForms;
  /** What a client gets when it exceeds a limit; `–` if the limit does not exist in the style. */
  readonly limits: Readonly<Record<ServerLimit, string>>;
  /** Limits that no other style has. */
  readonly ownLimits: readonly { readonly limit: string; readonly most: string; readonly form: string }[];
}
