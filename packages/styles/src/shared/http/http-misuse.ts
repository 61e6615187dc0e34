// Bytes that no HTTP/1.1 client sends, for the conformance cases about misuse: corrupts a valid request from the style's own writer.
import { CallError, codeFromGrpc, isCanonicalCode, type Client, type Contract } from "@roundtrip/contract";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import {
  misuseAnswerLimitMs,
  noAnswer,
  oddHeaders,
  oversizedHeader,
  rawAnswer,
  tooLargeHeader,
  type Misuse,
  type MisuseAttempt,
  type MisuseTarget,
  type ProtocolMisuse,
  type RawAnswer,
  type SpellingAttempts,
} from "../../basics/misuse.ts";
import type { HttpRequest, StyleClientOptions, HttpTransport } from "./client.ts";

/** The client only writes requests and needs no answers. */
const mostAnswered = 0;

/** The parts of a request, which can be corrupted separately. */
interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type ClientOver = (http: HttpTransport, contract: Contract, options: StyleClientOptions) => Client;

/** The request that a style's client writes for a call. */
async function validRequest(
  clientOver: ClientOver,
  { contract, operation, request, url }: MisuseTarget,
): Promise<PlainRequest> {
  const written = Promise.withResolvers<PlainRequest>();
  const capture = ({ method, path, headers, body }: HttpRequest): Promise<never> => {
    written.resolve({ method, path, headers, body: Buffer.from((body ?? "") as string) });
    return Promise.reject(new CallError("UNAVAILABLE", "the request is captured, not sent"));
  };
  const http = { send: capture, stream: capture as HttpTransport["stream"], close: () => Promise.resolve() };
  const client = clientOver(http, contract, { url: new URL(url).origin, maxMessageBytes: mostAnswered });
  client.prepare(operation)(request).catch(written.reject);
  return written.promise;
}

/**
 * Sends bytes, and resolves to the answer when the server closes the connection. Rejects if it neither answers nor closes.
 * @param isWhole whether the server can answer without the end of the connection
 */
async function exchangeBytes({ url, ca }: MisuseTarget, bytes: Buffer, isWhole = true): Promise<string> {
  const { protocol, hostname, port } = new URL(url);
  const where = { host: hostname, port: Number(port) };
  const socket = protocol === "https:" ? connectTls({ ...where, ca }) : connectTcp(where);
  const received: Buffer[] = [];
  // Not before the answer: Node.js closes the connection of a sender that has ended while its request is read in several turns.
  if (isWhole) socket.once("data", () => socket.end());
  socket.on("data", (chunk: Buffer) => void received.push(chunk));
  // A server that closes the connection during a request may reset it.
  socket.on("error", () => undefined);
  socket.setTimeout(misuseAnswerLimitMs, () =>
    socket.destroy(new Error("the server neither answers nor closes the connection")),
  );
  if (isWhole) socket.write(bytes);
  else socket.end(bytes);
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  if (socket.errored?.message.startsWith("the server neither") === true) throw socket.errored;
  return Buffer.concat(received).toString("latin1");
}

function answerIn(text: string): RawAnswer {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  if (status === undefined) return noAnswer;
  // In JSON or XML. Connect has codes in lower case, and CANCELLED with one L. Servers of others may write `status`, or the number of gRPC.
  const named = /(?:"(?:code|status)":\s*"|<code>)([A-Za-z_]+)["<]/
    .exec(text)?.[1]
    ?.toUpperCase()
    .replace(/^CANCELED$/, "CANCELLED");
  if (isCanonicalCode(named)) return { httpStatus: Number(status), code: named };
  const [, number] = /"code":\s*(\d{1,2})\b/.exec(text) ?? [];
  const isSuccess = status === "200" && !text.includes('"errors"');
  const code = isSuccess ? "OK" : number === undefined ? undefined : codeFromGrpc(Number(number));
  return { httpStatus: Number(status), code };
}

function bytesOf({ method, path, headers, body }: PlainRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), body]);
}

export type Corrupt = (request: PlainRequest, target: MisuseTarget) => Partial<PlainRequest>;

export function withBody(body: string | Buffer): Partial<PlainRequest> {
  return { body: Buffer.from(body as string) };
}

/** Replaces a text in the body, and sends one byte for each character. */
export function replaced(from: string, to: string): Corrupt {
  return ({ body }) => withBody(Buffer.from(body.toString("latin1").replace(from, to), "latin1"));
}

export function withHeader(name: string, ...values: readonly string[]): Corrupt {
  // One line per value.
  return ({ headers }) => ({ headers: { ...headers, [name]: values.join(`\r\n${name}: `) } });
}

/** Misuses for every style with JSON requests and the contract's field names. */
const corruptions = {
  wrongVerb: () => ({ method: "DELETE" }),
  wrongContentType: withHeader("content-type", "text/plain"),
  wrongAccept: withHeader("accept", "image/png"),
  unknownEncoding: withHeader("content-encoding", "nonsense"),
  oversizedHeader: withHeader("x-large", oversizedHeader),
  malformedDeadline: withHeader("x-request-timeout-ms", "soon"),
  repeatedHeader: withHeader(oddHeaders.repeated.name, ...oddHeaders.repeated.values),
  upperCaseHeader: withHeader(oddHeaders.upperCase.name, ...oddHeaders.upperCase.values),
  malformedBody: ({ body }) => withBody(body.subarray(0, -1)),
  emptyBody: () => withBody(""),
  invalidUtf8: replaced('"text"', '"te\xFFxt"'),
  halfSurrogatePair: replaced('"text"', String.raw`"te\ud800xt"`),
  numberOutOfRange: replaced('"int32Value":1', '"int32Value":3000000000'),
  unknownField: replaced('"int32Value":1', '"int32Value":1,"nonsense":1'),
  oversizedBody: ({ body }, { maxRequestBytes }) => withBody(Buffer.concat([body, Buffer.alloc(maxRequestBytes, " ")])),
} satisfies Partial<Record<Misuse, Corrupt>>;

const answered = [rawAnswer(200, "OK")];
const unreadable = [rawAnswer(400, "INVALID_ARGUMENT")];
const wrongMediaType = [rawAnswer(415, "INVALID_ARGUMENT")];
export const brokenOff = [noAnswer, rawAnswer(400, undefined), ...unreadable];

/** Sends bytes that are no HTTP. */
export async function sendNonsense(target: MisuseTarget): Promise<RawAnswer> {
  return answerIn(await exchangeBytes(target, Buffer.from("\0\x01nonsense\r\n\r\n")));
}

/** The usual answers over HTTP/1.1. HTTP's own statuses take precedence over those of the canonical code. */
const usualAnswers = {
  wrongContentType: wrongMediaType,
  wrongAccept: [rawAnswer(406, "INVALID_ARGUMENT")],
  unknownEncoding: wrongMediaType,
  malformedBody: unreadable,
  invalidUtf8: unreadable,
  halfSurrogatePair: unreadable,
  numberOutOfRange: unreadable,
  unknownField: unreadable,
  oversizedBody: [rawAnswer(413, "RESOURCE_EXHAUSTED")],
  oversizedHeader: tooLargeHeader,
  malformedDeadline: unreadable,
  truncatedBody: brokenOff,
  anotherProtocol: brokenOff,
  repeatedHeader: answered,
  upperCaseHeader: answered,
} as const satisfies Partial<Record<Misuse, readonly RawAnswer[]>>;

/** A record with the same keys. */
function mapped<K extends Misuse, V, R>(record: Readonly<Record<K, V>>, map: (value: V, key: K) => R): Record<K, R> {
  const entries = Object.entries(record) as [K, V][];
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value, key)])) as Record<K, R>;
}

type Answers = Readonly<Record<Misuse, readonly RawAnswer[]>>;

interface HttpMisuseOptions {
  /** The corruptions of a style whose requests are not JSON. */
  readonly corruptions?: Readonly<Partial<Record<keyof typeof corruptions, Corrupt>>>;
  /** Changes a valid request to call a method that does not exist. */
  readonly unknownMethod: Corrupt;
  /** The style's answers that the usual ones lack or differ from. */
  readonly answers: Partial<Answers> & Omit<Answers, keyof typeof usualAnswers>;
  readonly refusals: readonly RawAnswer[];
}

async function sent(target: MisuseTarget, bad: PlainRequest): Promise<RawAnswer> {
  const { host } = new URL(target.url);
  const headers = { ...bad.headers, host, connection: "close", "content-length": String(bad.body.length) };
  return answerIn(await exchangeBytes(target, bytesOf({ ...bad, headers })));
}

export function corrupted(clientOver: ClientOver, corrupt: Corrupt): MisuseAttempt["send"] {
  return async (target) => {
    const good = await validRequest(clientOver, target);
    return sent(target, { ...good, ...corrupt(good, target) });
  };
}

/** Announces the whole body and sends its first bytes only. */
export function truncated(clientOver: ClientOver): MisuseAttempt["send"] {
  return async (target) => {
    const good = await validRequest(clientOver, target);
    const { host } = new URL(target.url);
    const headers = { ...good.headers, host, "content-length": String(good.body.length) };
    return answerIn(await exchangeBytes(target, bytesOf({ ...good, headers, body: good.body.subarray(0, 5) }), false));
  };
}

function respelled(clientOver: ClientOver): SpellingAttempts["send"] {
  return async (target, respellings) => {
    const good = await validRequest(clientOver, target);
    if (respellings.some(({ from }) => !good.body.includes(from))) return undefined;
    const answers: RawAnswer[] = [];
    for (const { from, to } of respellings) {
      // oxlint-disable-next-line no-await-in-loop
      answers.push(await sent(target, { ...good, ...withText(good, (text) => text.replace(from, () => to)) }));
    }
    return answers;
  };
}

export function httpMisuses(
  clientOver: ClientOver,
  { unknownMethod, answers, refusals, corruptions: own }: HttpMisuseOptions,
): Pick<ProtocolMisuse, "attempts" | "spellings"> {
  const allowed: Answers = { ...usualAnswers, ...answers };
  const sends: Readonly<Record<Misuse, MisuseAttempt["send"]>> = {
    ...mapped({ ...corruptions, ...own, unknownMethod }, (corrupt) => corrupted(clientOver, corrupt)),
    truncatedBody: truncated(clientOver),
    anotherProtocol: sendNonsense,
  };
  return {
    attempts: mapped(sends, (send, misuse) => ({ send, answers: allowed[misuse] })),
    spellings: { send: respelled(clientOver), refusals },
  };
}

export function withText(
  { body }: { readonly body: Buffer },
  change: (text: string) => string,
): { readonly body: Buffer } {
  return { body: Buffer.from(change(body.toString())) };
}
