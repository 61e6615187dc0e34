// The conformance suite's subject without a network: services called in this process.
import type { Service } from "@roundtrip/contract";
import type { ConformanceSubject } from "@roundtrip/conformance";
import { memoryClient } from "../../src/memory/memory-client.ts";

/** @param service the service for cases without their own server */
export function memorySubject(service: Service): ConformanceSubject {
  return {
    name: "memory",
    limitations: [],
    deviations: [],
    offersMisuse: false,
    connect: () => Promise.resolve(memoryClient(() => service)),
    serve: (own, { maxRequestBytes, maxResponseBytes }) => {
      const connect = () => Promise.resolve(memoryClient(() => own, { maxRequestBytes, maxResponseBytes }));
      return Promise.resolve({
        address: { url: "memory:", ca: undefined },
        misuses: undefined,
        connect,
        connectTo: connect,
        stop: () => Promise.resolve(),
      });
    },
    close: () => Promise.resolve(),
  };
}
