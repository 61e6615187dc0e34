// Servers that are not what their callers expect: they send a web page, noise, half an answer or nothing.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** What each server sends on the first received bytes, before it closes the connection. */
export const unrelatedAnswers: Readonly<Record<string, string>> = {
  "a page": "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>",
  "half an answer": 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"values',
  noise: "\0\u0001nonsense\r\n\r\n",
  nothing: "",
};

/** A running server. */
export interface UnrelatedServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server on loopback that sends the line on every connection and closes it. */
export async function startUnrelatedServer(line: string): Promise<UnrelatedServer> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(line, "latin1"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      await once(server, "close");
    },
  };
}
