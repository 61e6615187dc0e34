// Learns what a stack's own client puts on the wire, by letting it call a server that only listens.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";

/** One HTTP request as it was sent. */
export interface CapturedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A server that answers nothing. */
export interface Capture extends AsyncDisposable {
  /** Its origin, to be called in place of a server's. */
  readonly origin: string;
  /** Makes one call and gives the request that arrived; how the call ends does not matter. One at a time. */
  requestOf(call: () => Promise<unknown>): Promise<CapturedRequest>;
}

// Whoever sends the request anew writes these itself.
const ownedBySender = new Set(["host", "connection", "content-length", "transfer-encoding", "keep-alive"]);

async function read(request: IncomingMessage): Promise<CapturedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" && !ownedBySender.has(name) ? [[name, value] as const] : [],
  );
  return {
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
}

/** Begins to listen on the loopback interface. */
export async function openCapture(): Promise<Capture> {
  let arrived = Promise.withResolvers<CapturedRequest>();
  const server = createServer((request, response) => {
    const { resolve, reject } = arrived;
    read(request)
      .then(resolve, reject)
      .finally(() => response.writeHead(503).end())
      .catch(reject);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async requestOf(call) {
      arrived = Promise.withResolvers();
      // The call fails either way; if it fails before anything was sent, that is the error to report.
      const failed = call().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      const { promise } = arrived;
      const captured = await Promise.race([
        promise,
        failed.then((thrown) => setTimeout(1_000).then(() => Promise.reject(thrown as Error))),
      ]);
      await failed;
      return captured;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Calls once and gives the request that arrived. @param call makes one call to the given address; how it ends does not matter. */
export async function captureRequest(url: string, call: (url: string) => Promise<unknown>): Promise<CapturedRequest> {
  await using capture = await openCapture();
  const { pathname } = new URL(url);
  // Awaited: the capture listens until this function ends.
  return await capture.requestOf(() => call(`${capture.origin}${pathname}`));
}
