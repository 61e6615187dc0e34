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
import { loopbackCertificate } from "../../src/shared/tls/certificate.ts";

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

/** A server of this service and a client of it, closed with the test. */
export async function pairOf(stackName: string, service: Service, options: Partial<PairOptions> = {}): Promise<Pair> {
  const tls = options.tls === true ? await certificate : undefined;
  const serve = await loadServe(stackName);
  const server = await serve(service, { ...serveDefaults, shutdownGraceMs: 500, tls, ...options.serve });
  onTestFinished(() => server.close());
  const client = await clientOf(stackName, service, { url: server.url, ca: tls?.ca, ...options.connect });
  return { server, client };
}
