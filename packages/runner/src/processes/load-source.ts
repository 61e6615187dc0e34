// Loads the contract and the service of a process, and nothing else.
import { builtInImage, contractFromImage, withoutComments, type Contract, type Service } from "@roundtrip/contract";
import { readFileSync } from "node:fs";
import type { ServiceSettings } from "../study/configuration.ts";
import type { ContractSource, ServiceSource } from "../study/sources.ts";

type ServiceFactory = (contract: Contract, settings: ServiceSettings, secondContract?: Contract) => Service;

/** The contract without its comments, which no call needs. */
export function loadContract(source: ContractSource): Contract {
  const image = source.kind === "built-in" ? builtInImage() : readFileSync(source.path);
  return contractFromImage(withoutComments(image));
}

export async function loadService(
  source: ServiceSource,
  contract: Contract,
  settings: ServiceSettings,
): Promise<Service> {
  const module = (await import(source.module)) as Readonly<Record<string, ServiceFactory>>;
  const factory = module[source.factory];
  if (factory === undefined) throw new Error(`${source.module} exports no ${source.factory}`);
  const { otherContract } = source;
  return factory(contract, settings, otherContract && loadContract(otherContract));
}
