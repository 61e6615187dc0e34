// What stands between a fake's recording and what makes its answers up, put together once and laid around each session's own service.
import type { Interceptor } from "@roundtrip/contract";
import { checking } from "./checking.ts";
import type { FakeOptions } from "./fake-options.ts";

/** The first is the outermost. */
function around(layers: readonly Interceptor[]): Interceptor {
  return (service) => layers.reduceRight((inner, layer) => layer(inner), service);
}

/**
 * Faults, then stubs, then handlers; what is not asked for is not there. Throws a FakeError for what does not fit the contract. Whatever
 * counts, as turns of stubs and attempts of faults do, begins anew wherever it is laid around a service.
 */
export function layersOf({ contract, stubs, handlers }: FakeOptions): Interceptor {
  const answered = new Set([...stubs.map(({ operation }) => operation), ...handlers.keys()]);
  return around(answered.size === 0 ? [] : [checking(contract, answered)]);
}
