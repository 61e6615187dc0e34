// Stands between a caller and a server of HTTP, and keeps what was answered: readers of bytes can be held against it.
import { once } from "node:events";
import { createServer, request as requestTo, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Relay {
  readonly url: string;
  /** The last answer: its body, and the media type of that. */
  readonly seen: { readonly body: string; readonly type: string };
  close(): Promise<void>;
}

/** Passes requests on to a server. */
export async function relayTo(target: string): Promise<Relay> {
  const seen = { body: "", type: "" };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { method = "GET", url = "/" } = request;
    const { accept = "application/json", "content-type": type = "application/json" } = request.headers;
    const headers = { accept, "content-type": type, "content-length": body.length };
    const asked = requestTo(new URL(url, target), { method, headers }).end(body);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const answered = await buffer(answer);
    seen.body = answered.toString();
    seen.type = answer.headers["content-type"] ?? "";
    response.writeHead(answer.statusCode ?? 502, { "content-type": seen.type });
    response.end(answered);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
