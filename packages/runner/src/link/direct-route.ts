// The way over a link whose client's end sees the server itself.
import type { Route } from "./link.ts";

export function directRoute(url: string): Promise<Route> {
  return Promise.resolve({ url, [Symbol.asyncDispose]: () => Promise.resolve() });
}
