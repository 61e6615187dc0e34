// Injected work: what a server does in addition to its service, to test whether the gate finds it.

/** Amounts by operation id, if operations have different costs. */
export type ByOperation = Readonly<Record<string, number>>;

/**
 * `nothing`: the wrapper alone. `burn`: this many turns of a useless loop. `sleep`: the process stands still, as in a synchronous read. `tail`: one
 * in this many calls is answered later, while others go on. `garbage`: objects that are referenced for a while and then freed. `padding`: a header of
 * this many bytes with each answer. `reconnect`: the connection is closed after each answer, over HTTP/1.1.
 */
export type Addition =
  | { readonly kind: "nothing" }
  | { readonly kind: "burn"; readonly turns: ByOperation }
  | { readonly kind: "sleep"; readonly ms: ByOperation }
  | { readonly kind: "tail"; readonly oneIn: number; readonly ms: number }
  | { readonly kind: "garbage"; readonly bytes: number }
  | { readonly kind: "padding"; readonly bytes: number }
  | { readonly kind: "reconnect" };

export const nothing = { kind: "nothing" } as const satisfies Addition;
