// A client's HTTP/1.1 request, recorded and sent with another body or more headers, and the answer.
import { loadMisuses } from "@roundtrip/styles";
import { exchange, type RawAnswer } from "../raw-exchange.ts";
import { longestListenMs, type Served } from "../served.ts";
import { echoOf, exampleCall, expectThat } from "./connection.ts";

export function isAnswered(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return rest.length > 0 && rest.join("\r\n\r\n").length >= Number(length ?? 0);
}

/** The status of an answer; 0 without an answer. */
export function statusOf({ bytes }: RawAnswer): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString("latin1"))?.[1] ?? 0);
}

const exampleJson = JSON.stringify(echoOf("example")["values"]);
const exampleXml = /<values>.*<\/values>/s;

/** A valid request of the stack's client, to send with another body or more headers. */
export class ExampleRequest {
  readonly host: string;
  readonly body: string;
  readonly #head: readonly string[];

  constructor({ url }: Served, bytes: Buffer) {
    this.host = new URL(url).host;
    const text = bytes.toString();
    const end = text.indexOf("\r\n\r\n");
    const [requestLine = "", ...headers] = text.slice(0, end).split("\r\n");
    const own = headers.filter((line) => !/^(?:host|content-length|transfer-encoding):/i.test(line));
    this.#head = [requestLine, `host: ${this.host}`, ...own];
    this.body = text.slice(end + 4);
  }

  /** The head of the request, announcing a body of this length. */
  headOf(contentLength: number, headers: readonly string[] = []): string {
    return `${[...this.#head, ...headers, `content-length: ${contentLength}`].join("\r\n")}\r\n\r\n`;
  }

  /** The body with other values: in JSON and XML the content of the field, in protobuf the whole request. */
  bodyWith(values: string | Buffer): Buffer {
    if (typeof values !== "string") return values;
    const isJson = this.body.includes(exampleJson);
    const text = this.body.replace(isJson ? exampleJson : exampleXml, () =>
      isJson ? values : `<values>${values}</values>`,
    );
    if (text === this.body) throw new Error(`no values in ${this.body}`);
    return Buffer.from(text);
  }

  with(body: Uint8Array | string, headers: readonly string[] = []): Buffer {
    const bytes = Buffer.from(body as string);
    return Buffer.concat([Buffer.from(this.headOf(bytes.length, headers)), bytes]);
  }
}

export async function exampleRequest(target: Served): Promise<ExampleRequest> {
  return new ExampleRequest(target, await exampleCall(target));
}

/** Sends bytes; resolves to the answer, or to what arrived within {@link longestListenMs}. */
export function send(url: string, bytes: Uint8Array | string): Promise<RawAnswer> {
  return exchange({ url, pieces: [bytes], pauseMs: 0, listenMs: longestListenMs, isComplete: isAnswered });
}

/** Throws for an answer that does not blame the sender. */
export async function expectRefused({ style }: Served, got: RawAnswer): Promise<void> {
  const status = statusOf(got);
  const refusals = (await loadMisuses(style))?.spellings?.refusals ?? [];
  const isRefused =
    (status >= 400 && status <= 499) ||
    refusals.some(({ httpStatus, code }) => httpStatus === status && got.bytes.includes(`"code":"${code}"`));
  expectThat(isRefused, `HTTP status ${status}: ${got.bytes.subarray(0, 300).toString("latin1")}`);
}
