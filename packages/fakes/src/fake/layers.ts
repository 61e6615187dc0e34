// The interceptors between a fake's recording and its made-up answers. They are prepared once and applied to each session's own service.
import type { Interceptor } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { checking } from "./checking.ts";
import type { FakeOptions } from "./fake-options.ts";
import { faulting } from "../faults/faulting.ts";
import { operationNamed } from "../basics/operation-named.ts";
import { overriding } from "../overrides/overriding.ts";
import { stubbing } from "../stubs/stubbing.ts";

/** The interceptor around the service that answers last. */
export interface Layers {
  readonly around: Interceptor;
  /** The ids of operations with handlers, which may change messages at any time. */
  readonly handled: ReadonlySet<string>;
}

/**
 * Applies faults, then stubs, then handlers, and skips those that are not used. Throws a FakeError for options that do not fit the contract. Stub
 * sequences and fault attempts restart for each service that it wraps.
 */
export function layersOf({ contract, seed, stubs, handlers, faults }: FakeOptions): Layers {
  const hasFaults = faults.faults.length + faults.latencies.length > 0;
  const stubbed = new Set(stubs.map(({ operation }) => operationNamed(contract, operation).id));
  // The first is the outermost.
  const layers = [
    ...(hasFaults ? [faulting(faults, seed)] : []),
    ...(stubs.length > 0 ? [checking(contract, stubbed), stubbing(contract, stubs)] : []),
    ...(handlers.size > 0 ? [overriding(handlers)] : []),
  ];
  const around: Interceptor = (service) => layers.reduceRight((inner, layer) => layer(inner), service);
  // Some errors show only when a service is wrapped: report them now, not in the first call.
  around(serviceOf(contract, new Map()));
  return { around, handled: new Set([...handlers.keys()].map((name) => operationNamed(contract, name).id)) };
}
