// What a server does more than the service behind it: what is injected to see whether the gate finds it.

/** Amounts by operation id, where calls of one operation cost more than those of another. */
export type ByOperation = Readonly<Record<string, number>>;

/**
 * `nothing`: the wrapper alone. `burn`: so many turns of a loop that does nothing useful. `sleep`: the process stands still, as in a synchronous read.
 * `tail`: one call of so many is answered later, while others go on. `garbage`: objects that are referenced for a while and then are not.
 * `padding`: a header of so many bytes with each answer. `reconnect`: the connection is closed after each answer, over HTTP/1.1.
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
