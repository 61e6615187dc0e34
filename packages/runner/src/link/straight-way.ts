// The way over a link whose client's end sees the server itself.
import type { Way } from "./link.ts";

export function straightWay(url: string): Promise<Way> {
  return Promise.resolve({ url, [Symbol.asyncDispose]: () => Promise.resolve() });
}
