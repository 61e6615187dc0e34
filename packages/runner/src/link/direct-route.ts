// The route over a link whose client's end reaches the server directly.
import type { LinkRoute } from "./link.ts";

export function directRoute(url: string): Promise<LinkRoute> {
  return Promise.resolve({ url, [Symbol.asyncDispose]: () => Promise.resolve() });
}
