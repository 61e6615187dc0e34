// Checks that a target's address accepts connections, before a recording begins rather than in its first call.
import { connect } from "node:net";
import { FakeError } from "../basics/fake-error.ts";

const patienceMs = 5_000;

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Opens a connection to the URL's host, and closes it. Rejects with a FakeError `unreachable` with the reason. */
export async function requireReachable(url: string): Promise<void> {
  const target = URL.parse(url);
  const defaultPort = target === null ? undefined : defaultPorts[target.protocol];
  if (target === null || defaultPort === undefined) {
    throw new FakeError("unreachable", `${url} is not an address of the form http://HOST:PORT or https://HOST:PORT`);
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({
    host: target.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: target.port === "" ? defaultPort : Number(target.port),
    timeout: patienceMs,
  });
  socket.once("connect", resolve);
  socket.once("timeout", () => reject(new Error(`no connection within ${patienceMs / 1_000} s`)));
  socket.once("error", reject);
  try {
    await promise;
  } catch (cause) {
    const reason = cause instanceof AggregateError ? ((cause.errors as Error[])[0] ?? cause) : (cause as Error);
    throw new FakeError("unreachable", `no server answers at ${target.origin}: ${reason.message}`, { cause });
  } finally {
    socket.destroy();
  }
}
