// Learns what a stack's own client puts on the wire, by letting it call a server that only listens.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

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
    await call(`http://127.0.0.1:${port}${pathname}`).catch(() => undefined);
    return await captured;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
