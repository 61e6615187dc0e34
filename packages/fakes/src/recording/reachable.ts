// Whether anybody listens where a target should be: told before a recording begins, and not by the first call that fails.
import { connect } from "node:net";
import { FakeError } from "../basics/fake-error.ts";

const patienceMs = 5_000;

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Opens a connection to where the URL leads, and closes it. Rejects with a FakeError `unreachable` that says why. */
export async function requireReachable(url: string): Promise<void> {
  const target = URL.parse(url);
  const defaultPort = target === null ? undefined : defaultPorts[target.protocol];
  if (target === null || defaultPort === undefined) {
    throw new FakeError("unreachable", `${url} is no address: http://HOST:PORT or https://HOST:PORT`);
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
    throw new FakeError("unreachable", `nobody answers at ${target.origin}: ${reason.message}`, { cause });
  } finally {
    socket.destroy();
  }
}
