// A service that answers every operation of any contract from the contract alone: it stores resources and makes all else up.
import type { Contract, Handler, Handlers, Service, StreamHandler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { analysedContract } from "./analysed-contract.ts";
import { madeUpHandler } from "./made-up-handler.ts";
import { SessionState } from "../resources/session-state.ts";

/** Creates handlers on the first call, so that a session of a large contract costs only what it uses. */
class MadeWhenCalled extends Map<string, Handler | StreamHandler> {
  readonly #make: (id: string) => Handler | StreamHandler;

  constructor(make: (id: string) => Handler | StreamHandler) {
    super();
    this.#make = make;
  }

  override get(id: string): Handler | StreamHandler {
    let handler = super.get(id);
    if (handler === undefined) this.set(id, (handler = this.#make(id)));
    return handler;
  }
}

/** Each call creates a service with its own state. */
export function generatedService(contract: Contract, seed: number): Service {
  const { maker, methods } = analysedContract(contract, seed);
  const state = new SessionState(methods.model);
  const handlers: Handlers = new MadeWhenCalled((id) => {
    const operation = contract.operation(id);
    return methods.of(operation)?.(state) ?? madeUpHandler(maker, operation);
  });
  return serviceOf(contract, handlers);
}
