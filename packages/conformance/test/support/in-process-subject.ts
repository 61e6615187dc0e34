// A subject without a network: the client in memory, so that the suite can be tried, and broken clients be made of it, while no socket is involved.
import type { Client, Service } from "@roundtrip/contract";
import { memoryClient } from "../../../stacks/src/memory-client.ts";
import type { ConformanceSubject } from "../../src/index.ts";

/**
 * @param service the service for cases without their own server
 * @param breaking makes a broken client of a good one
 */
export function inProcessSubject(
  service: Service,
  breaking: (client: Client) => Client = (client) => client,
): ConformanceSubject {
  return {
    name: "in-process",
    limitations: [],
    deviations: [],
    offersMisuse: false,
    connect: () => Promise.resolve(breaking(memoryClient(() => service))),
    serve: (own, { maxRequestBytes, maxResponseBytes }) => {
      const connect = () => Promise.resolve(breaking(memoryClient(() => own, { maxRequestBytes, maxResponseBytes })));
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
