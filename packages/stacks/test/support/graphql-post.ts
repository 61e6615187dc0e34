// A GraphQL request as any client would send it, without ours.
import type { RunningServer } from "../../src/index.ts";

export interface GraphqlAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

/** Posts a body, JSON unless it is text already, and reads the answer. */
export async function graphqlPost(
  { url }: Pick<RunningServer, "url">,
  body: { readonly query: string; readonly variables?: unknown } | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/graphql-response+json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const { data, errors } = (await response.json()) as Partial<GraphqlAnswer>;
  return { status: response.status, data, errors: errors ?? [] };
}
