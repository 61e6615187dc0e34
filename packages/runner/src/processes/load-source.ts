// Loads what a process needs to know about the contract, and nothing else.
import { builtInContract, contractFromImage, type Contract, type Service } from "@roundtrip/contract";
import { readFileSync } from "node:fs";
import type { ServiceSettings } from "../service-settings.ts";
import type { ContractSource, ServiceSource } from "./messages.ts";

type ServiceFactory = (contract: Contract, settings: ServiceSettings) => Service;

export function loadContract(source: ContractSource): Contract {
  return source.kind === "built-in" ? builtInContract() : contractFromImage(readFileSync(source.path));
}

export async function loadService(
  source: ServiceSource,
  contract: Contract,
  settings: ServiceSettings,
): Promise<Service> {
  const module = (await import(source.module)) as Readonly<Record<string, ServiceFactory>>;
  const factory = module[source.factory];
  if (factory === undefined) throw new Error(`${source.module} exports no ${source.factory}`);
  return factory(contract, settings);
}
