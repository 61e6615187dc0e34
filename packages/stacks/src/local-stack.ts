// A stack whose server and client run on this machine, with default options.
import type { Client, Contract, Service } from "@roundtrip/contract";
import { loadMisuses, type ProtocolMisuse } from "@roundtrip/styles";
import { loadConnect, loadServe, loadStack } from "./registry.ts";
import type { LoopbackCertificate } from "./shared/certificate.ts";
import {
  connectDefaults,
  serveDefaults,
  type ConnectOptions,
  type ServedService,
  type ServeOptions,
  type Stack,
} from "./basics/stack.ts";

export interface LocalStack extends Pick<Stack, "name" | "limitations" | "deviations"> {
  /** Malformed bytes that no client of the style sends; undefined for a style without any. */
  readonly misuses: ProtocolMisuse | undefined;
  /** Certificate authority of the servers, in PEM; undefined for plain text. */
  readonly ca: string | undefined;
  serve(service: Service, options: Partial<ServeOptions>): Promise<ServedService>;
  connect(contract: Contract, url: string, options: Partial<ConnectOptions>): Promise<Client>;
}

/** @param certificate undefined for plain text. Rejects with a StackError for an unknown name. */
export async function localStack(name: string, certificate: LoopbackCertificate | undefined): Promise<LocalStack> {
  const [{ style, limitations, deviations }, serve, connect] = await Promise.all([
    loadStack(name),
    loadServe(name),
    loadConnect(name),
  ]);
  const ca = certificate?.ca;
  return {
    name,
    limitations,
    deviations,
    misuses: await loadMisuses(style),
    ca,
    serve: (service, options) => serve(service, { ...serveDefaults, ...options, tls: certificate }),
    connect: (contract, url, options) => connect(contract, { ...connectDefaults, ...options, url, ca }),
  };
}
