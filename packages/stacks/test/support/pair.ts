// A server and a client of one stack over a real socket, closed when the test that asked for them is over.
import type { Client, Service } from "@roundtrip/contract";
import { onTestFinished } from "vitest";
import {
  connectTo,
  loadServe,
  serveDefaults,
  type ConnectOptions,
  type ServedService,
  type ServeOptions,
} from "../../src/index.ts";
import { freePort } from "../../../runner/src/processes/free-port.ts";
import { loopbackCertificate } from "../../src/shared/certificate.ts";

export interface PairOptions {
  readonly tls: boolean;
  readonly serve: Partial<ServeOptions>;
  readonly connect: Partial<ConnectOptions>;
}

export interface Pair {
  readonly server: ServedService;
  readonly client: Client;
}

export const certificate = loopbackCertificate();

/** A client of a running server, closed with the test. */
export async function clientOf(
  stackName: string,
  service: Service,
  options: Pick<ConnectOptions, "url"> & Partial<ConnectOptions>,
): Promise<Client> {
  const client = await connectTo(stackName, service.contract, options);
  onTestFinished(() => client.close());
  return client;
}

async function serverOf(stackName: string, service: Service, options: Partial<PairOptions>) {
  const tls = options.tls === true ? await certificate : undefined;
  const serve = await loadServe(stackName);
  // Clients of tests before may still try to reach servers that have gone: no connection gets the port of one of these.
  const port = await freePort(serveDefaults.host);
  const server = await serve(service, { ...serveDefaults, port, shutdownGraceMs: 500, tls, ...options.serve });
  return { server, connect: { url: server.url, ca: tls?.ca, ...options.connect } };
}

/** A server of this service and a client of it, closed with the test. */
export async function pairOf(stackName: string, service: Service, options: Partial<PairOptions> = {}): Promise<Pair> {
  const { server, connect } = await serverOf(stackName, service, options);
  onTestFinished(() => server.close());
  const client = await clientOf(stackName, service, connect);
  return { server, client };
}

/** A pair for several tests, which their file closes. */
export async function keptPair(
  stackName: string,
  service: Service,
  options: Partial<PairOptions>,
): Promise<Pair & { readonly close: () => Promise<void> }> {
  const { server, connect } = await serverOf(stackName, service, options);
  const client = await connectTo(stackName, service.contract, connect);
  return {
    server,
    client,
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}
