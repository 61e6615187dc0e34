// Requests over HTTP/1.1 as an attacker writes them, byte by byte, and what comes back.
import { exchange, type Heard } from "../raw-exchange.ts";
import type { Served } from "../served.ts";
import { expectThat } from "./attack.ts";

/** Far longer than any limit: what is still open by then is open for good. */
export const listenMs = 6_000;

/** The whole answer is there. */
export function isAnswered(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return rest.length > 0 && rest.join("\r\n\r\n").length >= Number(length ?? 0);
}

/** Of an answer; 0 for none. */
export function statusOf({ bytes }: Heard): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString("latin1"))?.[1] ?? 0);
}

/** By the media type that GraphQL has for itself, a refusal has a status of its own too. */
const accepts = "accept: application/graphql-response+json, application/json";

/** A request for the Echo operation, with this body. */
export function echoWith(url: string, body: Uint8Array | string, headers: readonly string[] = []): Buffer {
  const { host, pathname } = new URL(url);
  const path = pathname === "/" ? "/v1/values:echo" : pathname;
  const head = [`POST ${path} HTTP/1.1`, `host: ${host}`, accepts, "content-type: application/json", ...headers];
  const bytes = Buffer.from(body as string);
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes]);
}

/** What comes back for bytes that are sent at once. */
export function sent(url: string, bytes: Uint8Array | string): Promise<Heard> {
  return exchange({ url, pieces: [bytes], pauseMs: 0, listenMs, isComplete: isAnswered });
}

/** The values as the style has them in its body. */
export function bodyOf({ style }: Served, values: string): string {
  if (style === "rest") return `{"values":${values}}`;
  const query = "mutation($input: EchoInput!) { echo(input: $input) { values { presence { text } } } }";
  return `{"query":${JSON.stringify(query)},"variables":{"input":{"values":${values}}}}`;
}

/** Throws for a status below or above. */
export async function expectStatus(heard: Promise<Heard>, from: number, to: number): Promise<void> {
  const got = await heard;
  const status = statusOf(got);
  expectThat(status >= from && status <= to, `HTTP status ${status}: ${got.bytes.subarray(0, 300).toString("latin1")}`);
}
