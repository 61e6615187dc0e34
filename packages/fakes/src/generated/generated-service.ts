// A service that answers every operation of any contract from the contract alone: it keeps resources, and makes up all else.
import type { Contract, Handler, Handlers, Service, StreamHandler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { learntOf } from "./learnt.ts";
import { madeUpHandler } from "./made-up-handler.ts";
import { SessionState } from "../resources/session-state.ts";

/** Handlers that are made when somebody first calls: a session of a large contract costs what it uses. */
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

/** Each call of this makes a service with a state of its own: what one is told, the others do not know. */
export function generatedService(contract: Contract, seed: number): Service {
  const { maker, methods } = learntOf(contract, seed);
  const state = new SessionState(methods.model);
  const handlers: Handlers = new MadeWhenCalled((id) => {
    const operation = contract.operation(id);
    return methods.of(operation)?.(state) ?? madeUpHandler(maker, operation);
  });
  return serviceOf(contract, handlers);
}
