// A service that answers every operation of any contract with what it makes up from the contract alone.
import type { Contract, Handler, Handlers, Service, StreamHandler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { AnswerMaker } from "./answer-maker.ts";
import { madeUpHandler } from "./made-up-handler.ts";

const makers = new WeakMap<Contract, Map<number, AnswerMaker>>();

/** What is learnt of a contract is learnt once, whoever asks. */
function makerOf(contract: Contract, seed: number): AnswerMaker {
  let bySeed = makers.get(contract);
  if (bySeed === undefined) makers.set(contract, (bySeed = new Map()));
  let maker = bySeed.get(seed);
  if (maker === undefined) bySeed.set(seed, (maker = new AnswerMaker(contract, seed)));
  return maker;
}

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
  const maker = makerOf(contract, seed);
  const handlers: Handlers = new MadeWhenCalled((id) => madeUpHandler(maker, contract.operation(id)));
  return serviceOf(contract, handlers);
}
