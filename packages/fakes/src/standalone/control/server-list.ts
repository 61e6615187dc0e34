// The addresses of a fake, and what to open or to type there to see what it offers.
import type { Stack } from "@roundtrip/stacks";

export interface ListedServer {
  /** Calls of the page are sent over it; undefined for a server that the page has no client for. */
  readonly stack: string | undefined;
  readonly title: string;
  readonly url: string;
  /** What a browser opens; undefined where there is no page. */
  readonly page: { readonly url: string; readonly title: string } | undefined;
  /** How tools read the contract; undefined where there is a page, or no such tool. */
  readonly hint: { readonly text: string; readonly command: string } | undefined;
}

function listed({ name, title, inspection }: Stack, url: string): ListedServer {
  const server = { stack: name, title, url, page: undefined, hint: undefined };
  switch (inspection?.kind) {
    case undefined:
      return server;
    case "page":
      return { ...server, page: { url: `${url}${inspection.path}`, title: inspection.title } };
    case "command":
      return { ...server, hint: { text: inspection.hint, command: inspection.command(url) } };
  }
}

/** In the order of the stacks, the server for browsers last. */
export function serverList(
  stacks: readonly Stack[],
  urls: Readonly<Record<string, string>>,
  connectUrl: string,
): readonly ListedServer[] {
  return [
    ...stacks.map((stack) => listed(stack, urls[stack.name] ?? "")),
    { stack: undefined, title: "Connect, gRPC-Web", url: connectUrl, page: undefined, hint: undefined },
  ];
}
