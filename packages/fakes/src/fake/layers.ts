// What stands between a fake's recording and what makes its answers up, put together once and laid around each session's own service.
import type { Interceptor } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { checking } from "./checking.ts";
import type { FakeOptions } from "./fake-options.ts";
import { faulting } from "../faults/faulting.ts";
import { operationNamed } from "../basics/operation-named.ts";
import { overriding } from "../overrides/overriding.ts";
import { stubbing } from "../stubs/stubbing.ts";

/** What is laid around the service that answers in the end. */
export interface Layers {
  readonly around: Interceptor;
  /** The ids of operations that are answered by functions of whoever uses the fake: these may write to messages whenever they like. */
  readonly handled: ReadonlySet<string>;
}

/**
 * Faults, then stubs, then handlers; what is not asked for is not there. Throws a FakeError for what does not fit the contract. Whatever
 * counts, as turns of stubs and attempts of faults do, begins anew wherever it is laid around a service.
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
  // What only shows around a service is to show now, and not in the first call of somebody.
  around(serviceOf(contract, new Map()));
  return { around, handled: new Set([...handlers.keys()].map((name) => operationNamed(contract, name).id)) };
}
