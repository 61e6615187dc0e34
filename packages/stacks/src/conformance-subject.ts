// A stack as the conformance suite takes it: `@roundtrip/stacks/conformance`, a door of its own, for what is measured loads no suite.
import type { Service } from "@roundtrip/contract";
import { localSubject, type ConformanceSubject } from "@roundtrip/contract/conformance";
import { loadMisuses } from "@roundtrip/styles";
import type { LoopbackCertificate } from "./shared/tls/certificate.ts";
import { knownStack } from "./known-stacks.ts";
import { loadConnect, loadServe, loadStack } from "./registry.ts";
import { connectDefaults, serveDefaults } from "./stack.ts";

export interface StackSubjectOptions {
  /** The stack's name, for example `grpc-js`. */
  readonly stack: string;
  /** The real service. */
  readonly service: Service;
  /** Undefined serves in plain text. */
  readonly certificate: LoopbackCertificate | undefined;
}

/** The suite's subject for a stack that is served here, with the settings that users begin with. Rejects for an unknown stack. */
export async function stackSubject({ stack, service, certificate }: StackSubjectOptions): Promise<ConformanceSubject> {
  const [{ name, limitations }, serve, connect, misuses] = await Promise.all([
    loadStack(stack),
    loadServe(stack),
    loadConnect(stack),
    loadMisuses(knownStack(stack).style),
  ]);
  const ca = certificate?.ca;
  return localSubject({
    name,
    limitations,
    misuses,
    ca,
    service,
    serve: (served, limits) => serve(served, { ...serveDefaults, ...limits, tls: certificate }),
    connect: (contract, url, limits) => connect(contract, { ...connectDefaults, ...limits, url, ca }),
  });
}
