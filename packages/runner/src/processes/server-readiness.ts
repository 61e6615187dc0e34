// Whether a server that has just started is ready: the address that it prints, and the call by which monitoring checks its style. An open port is no
// proof: a proxy or a container opens it earlier.
import { once } from "node:events";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { connect } from "node:http2";
import { request as secureRequest } from "node:https";
import type { Stack } from "@roundtrip/stacks";

/** A URL in text: up to a blank, a quotation mark or a bracket. */
const urlPattern = /\bhttps?:\/\/[^\s"'`<>()\]},;]+(?:\][^\s"'`<>()\]},;]*)?/gi;

/** The address for reaching a server that listens on all interfaces. */
const reachedAt: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };

/** Addresses of this machine; a greeting may also contain links to documentation. */
const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The URL as it is reached from this machine; undefined for a URL of another machine, or if there is none. */
function reached(text: unknown): string | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const there = reachedAt[url.hostname];
  if (there !== undefined) url.hostname = there;
  if (!isHere.test(url.hostname)) return undefined;
  // Keeps a path only if it was written.
  return url.pathname === "/" && url.search === "" && !text.endsWith("/") ? url.origin : url.href;
}

function membersOf(line: string): Readonly<Record<string, unknown>> {
  if (!line.trimStart().startsWith("{")) return {};
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/**
 * The first URL of this machine in a line: a member of a JSON object, named after the stack or `url`, or anywhere in text.
 * @param port where the server was asked to listen: another port is only that of the server if the member has the name of its stack.
 */
export function announcedUrl(line: string, stack: string, port?: string): string | undefined {
  const members = membersOf(line);
  const inText = [...line.matchAll(urlPattern)].map(([url]) => reached(url.replace(/[.:]+$/, "")));
  const anywhere = [reached(members["url"]), ...inText];
  return (
    reached(members[stack]) ??
    anywhere.find((url) => url !== undefined && (port === undefined || new URL(url).port === port))
  );
}

type HealthProbe = NonNullable<Stack["health"]>;

/** What gateways answer for a server that they do not reach. Any other status is an answer, also one for an unknown path. */
const gatewayStatuses: readonly number[] = [502, 503, 504];
const grpcUnavailable = "14";
const healthCheckPath = "/grpc.health.v1.Health/Check";
/** A message without content, in a gRPC frame. */
const emptyMessage = Buffer.alloc(5);
/** The content of a HealthCheckResponse with the status NOT_SERVING. */
const notServing = "0802";
/** Hexadecimal digits to read of an answer. */
const mostContent = 64;

/** The clients of the run verify certificates. The probe sends no token, and reads no more than whether there is an answer. */
const unverified = { rejectUnauthorized: false } as const;

function statusFault(status: number | undefined): string | undefined {
  return status !== undefined && gatewayStatuses.includes(status) ? `HTTP status ${status}` : undefined;
}

async function httpFault(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const options = { headers, signal, agent: false, ...unverified };
  const request = url.startsWith("https:") ? secureRequest(url, options) : plainRequest(url, options);
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  // Aborting the request reports an error when its answer is not needed any more.
  request.on("error", () => undefined).destroy();
  return statusFault(response.statusCode);
}

async function grpcFault(url: string, signal: AbortSignal): Promise<string | undefined> {
  const { origin } = new URL(url);
  const session = connect(origin, unverified);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  session.on("error", reject);
  session.on("close", () => reject(new Error("it closed the connection")));
  const answered = async (): Promise<string | undefined> => {
    const stream = session.request(
      { ":method": "POST", ":path": healthCheckPath, "content-type": "application/grpc", te: "trailers" },
      { signal },
    );
    let [status, code, content] = [undefined as number | undefined, undefined as unknown, ""];
    stream.on("response", (headers) => ([status, code] = [headers[":status"], headers["grpc-status"]]));
    stream.on("trailers", (trailers) => (code ??= trailers["grpc-status"]));
    stream.on("data", (chunk: Buffer) => (content = (content + chunk.toString("hex")).slice(0, mostContent)));
    stream.on("error", () => undefined).end(emptyMessage);
    await once(stream, "close");
    if (code === grpcUnavailable) return "UNAVAILABLE";
    if (content.slice(2 * emptyMessage.length) === notServing) return "its health is NOT_SERVING";
    return statusFault(status);
  };
  try {
    return await Promise.race([answered(), failed]);
  } finally {
    session.destroy();
  }
}

/** Undefined if the server answers the call, with whatever result; otherwise why it does not. */
export async function whyNotReady(url: string, health: HealthProbe, signal: AbortSignal): Promise<string | undefined> {
  try {
    return health.protocol === "grpc"
      ? await grpcFault(url, signal)
      : await httpFault(`${url.replace(/\/$/, "")}${health.path}`, health.headers, signal);
  } catch (thrown) {
    if (signal.aborted) return "no answer";
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
