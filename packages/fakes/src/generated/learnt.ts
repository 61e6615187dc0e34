// What is found out about a contract before anything can be answered by it: its resources, and how its messages are made up.
import type { Contract } from "@roundtrip/contract";
import { findResources } from "../resources/find-resources.ts";
import { referencesTo } from "../resources/references.ts";
import { ResourceMethods } from "../resources/resource-methods.ts";
import { AnswerMaker } from "../answers/answer-maker.ts";

/** What is learnt of a contract is learnt once, whoever asks. */
export interface Learnt {
  readonly maker: AnswerMaker;
  readonly methods: ResourceMethods;
}

const learnt = new WeakMap<Contract, Map<number, Learnt>>();

/** The same for the same contract and seed. */
export function learntOf(contract: Contract, seed: number): Learnt {
  let bySeed = learnt.get(contract);
  if (bySeed === undefined) learnt.set(contract, (bySeed = new Map()));
  let found = bySeed.get(seed);
  if (found === undefined) {
    const resources = findResources(contract);
    const maker = new AnswerMaker(contract, seed, referencesTo(resources));
    bySeed.set(seed, (found = { maker, methods: new ResourceMethods(contract, maker, resources) }));
  }
  return found;
}
