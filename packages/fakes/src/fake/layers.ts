// The interceptors between a fake's recording and its made-up answers. They are prepared once and applied to each session's own service.
import type {
  Contract,
  Handler,
  Interceptor,
  Operation,
  ServerCall,
  Service,
  StreamHandler,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import type { FakeOptions } from "./fake-options.ts";
import { faulting } from "../faults/faulting.ts";
import { operationNamed } from "../basics/operation-named.ts";
import { overriding } from "../overrides/overriding.ts";
import { stubbing } from "../stubs/stubbing.ts";

/**
 * Checks requests of these operations as the service would: otherwise a stub without conditions would hide mistakes of callers.
 * @param operations ids; others are not checked here, because their handlers check them
 */
function checking(contract: Contract, operations: ReadonlySet<string>): Interceptor {
  return (service) => {
    const passOn = (operation: Operation): Handler | StreamHandler => {
      const unary: Handler = (request, call) => service.call(operation, request, call as ServerCall);
      const stream: StreamHandler = (requests, call) => service.stream(operation, requests, call as ServerCall);
      return operation.kind === "unary" ? unary : stream;
    };
    const checked = serviceOf(contract, new Map(contract.operations.map((one) => [one.id, passOn(one)])));
    const serviceFor = ({ id }: Operation): Service => (operations.has(id) ? checked : service);
    return {
      contract,
      guard: (other) => service.guard(other),
      call: (operation, request, call) => serviceFor(operation).call(operation, request, call),
      stream: (operation, requests, call) => serviceFor(operation).stream(operation, requests, call),
    };
  };
}

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
