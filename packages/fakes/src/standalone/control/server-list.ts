// Where a fake is served, and how somebody looks at it there: pages that open in a browser, and commands that list what can be called.
import type { Stack } from "@roundtrip/stacks";

export interface ListedServer {
  /** What calls are sent over; undefined for what the page has no client of. */
  readonly stack: string | undefined;
  readonly title: string;
  readonly url: string;
  /** What a browser shows there; undefined where there is nothing for people. */
  readonly page: { readonly url: string; readonly title: string } | undefined;
  /** How tools find the contract without having it; undefined where they read the page. */
  readonly hint: { readonly text: string; readonly command: string } | undefined;
}

/** What users of a stack look for beside the contract. */
type Beside = (url: string) => Partial<Pick<ListedServer, "page" | "hint">>;

const besides: Readonly<Record<string, Beside>> = {
  "rest-express": (url) => ({ page: { url: `${url}/docs`, title: "API page" } }),
  "graphql-apollo": (url) => ({ page: { url, title: "Explorer" } }),
  "grpc-js": (url) => ({
    hint: {
      text: "Tools such as grpcurl and Postman find the contract by reflection. With buf:",
      // Without TLS nothing tells a client that HTTP/2 is spoken.
      command: `npx @bufbuild/buf curl --protocol grpc ${url.startsWith("https:") ? "--cacert FILE" : "--http2-prior-knowledge"} --list-methods ${url}`,
    },
  }),
};

/** In the order of the stacks, the one for browsers last. */
export function serverList(
  stacks: readonly Stack[],
  urls: Readonly<Record<string, string>>,
  connectUrl: string,
): readonly ListedServer[] {
  const styles = stacks.map(({ name, title }) => {
    const url = urls[name] ?? "";
    const { page, hint } = besides[name]?.(url) ?? {};
    return { stack: name, title, url, page, hint };
  });
  return [
    ...styles,
    { stack: undefined, title: "Connect, gRPC-Web", url: connectUrl, page: undefined, hint: undefined },
  ];
}
