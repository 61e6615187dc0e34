// Makes the call by which monitoring checks a style, to see whether a server that has just started answers calls. An open port is no proof: a proxy or
// a container opens it earlier.
import type { Stack } from "@roundtrip/stacks";
import { once } from "node:events";
import { request as plainRequest, type IncomingMessage } from "node:http";
import { connect } from "node:http2";
import { request as secureRequest } from "node:https";

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
