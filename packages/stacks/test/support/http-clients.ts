// Every client library over HTTP/1.1, and servers for it.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { HttpRequest, HttpStreamRequest, HttpTransport } from "../../../styles/src/shared/http/client.ts";
import { connectDefaults, type ConnectOptions } from "../../src/index.ts";
import { axiosTransport } from "../../src/rest/clients/axios.ts";
import { fetchTransport } from "../../src/shared/fetch-transport.ts";
import { undiciTransport } from "../../src/shared/undici/undici-transport.ts";

export const httpClients = [
  { library: "undici", connect: undiciTransport },
  { library: "fetch", connect: fetchTransport },
  { library: "axios", connect: axiosTransport },
];

export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

type Connect = (options: ConnectOptions) => HttpTransport;

export async function servedFor(connect: Connect, listener: Listener, options: Partial<ConnectOptions> = {}) {
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connect({ ...connectDefaults, url, ...options });
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await client.close();
  });
  return { server, client, url };
}

const plainGet: HttpRequest = {
  method: "GET",
  path: "/",
  headers: {},
  body: undefined,
  timeoutMs: undefined,
  signal: undefined,
};

export function get(client: HttpTransport, options: Partial<HttpRequest> = {}) {
  return client.send({ ...plainGet, ...options });
}

/** Calls with streamed bodies. */
export function streamed(client: HttpTransport, options: Partial<HttpStreamRequest> = {}) {
  return client.stream({ ...plainGet, ...options });
}
