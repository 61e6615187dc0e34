// What is computed from a contract once, before any answer: its resources, and how its messages are made.
import type { Contract } from "@roundtrip/contract";
import { contractOfWork } from "../resources/long-running.ts";
import { OperationMethods } from "../operations/operation-methods.ts";
import { findResources } from "../resources/find-resources.ts";
import { referencesTo } from "../resources/references.ts";
import { ResourceMethods } from "../resources/resource-methods.ts";
import { AnswerMaker } from "../answers/answer-maker.ts";

/** Computed once for each contract and seed. */
export interface AnalysedContract {
  readonly maker: AnswerMaker;
  readonly methods: ResourceMethods;
  readonly operations: OperationMethods;
}

const analysed = new WeakMap<Contract, Map<number, AnalysedContract>>();

/** The same object for the same contract and seed. */
export function analysedContract(contract: Contract, seed: number): AnalysedContract {
  let bySeed = analysed.get(contract);
  if (bySeed === undefined) analysed.set(contract, (bySeed = new Map()));
  let found = bySeed.get(seed);
  if (found === undefined) {
    const work = contractOfWork(contract);
    const resources = findResources(work);
    const maker = new AnswerMaker(contract, seed, referencesTo(resources));
    const methods = new ResourceMethods(work, maker, resources);
    bySeed.set(seed, (found = { maker, methods, operations: new OperationMethods(contract, maker) }));
  }
  return found;
}
