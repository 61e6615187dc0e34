// A JSON-RPC request as any client would send it, without ours.
import type { RunningServer } from "../../src/index.ts";

export interface RpcAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined for an answer without a body. */
  readonly json: unknown;
}

/** Posts a body, JSON unless it is text already, and reads the answer. */
export async function rpcPost(
  { url }: Pick<RunningServer, "url">,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    headers: response.headers,
    text,
    json: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}
