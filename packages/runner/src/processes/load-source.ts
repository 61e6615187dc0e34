// Loads what a process needs to know about the contract, and nothing else.
import { builtInContract, contractFromImage, type Contract, type Service } from "@roundtrip/contract";
import { readFileSync } from "node:fs";
import type { ContractSource, ServiceSource } from "./messages.ts";

export function loadContract(source: ContractSource): Contract {
  return source.kind === "built-in" ? builtInContract() : contractFromImage(readFileSync(source.path));
}

export async function loadService(source: ServiceSource, contract: Contract): Promise<Service> {
  const module = (await import(source.module)) as Readonly<Record<string, (contract: Contract) => Service>>;
  const factory = module[source.factory];
  if (factory === undefined) throw new Error(`${source.module} exports no ${source.factory}`);
  return factory(contract);
}
