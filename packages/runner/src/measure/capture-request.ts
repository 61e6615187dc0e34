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

/** Calls once and gives the request that arrived. @param call makes one call to the given address; how it ends does not matter. */
export async function captureRequest(url: string, call: (url: string) => Promise<unknown>): Promise<CapturedRequest> {
  const { promise: captured, resolve, reject } = Promise.withResolvers<CapturedRequest>();
  const server = createServer((request, response) => {
    read(request).then(resolve, reject);
    response.writeHead(503).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const { pathname } = new URL(url);
  try {
    // The call fails either way; when it fails before anything was sent, that is the reason to tell.
    const failed = call(`http://127.0.0.1:${port}${pathname}`).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return await Promise.race([
      captured,
      failed.then((thrown) => setTimeout(1_000).then(() => Promise.reject(thrown as Error))),
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
