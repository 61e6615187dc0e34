// Loads what a process needs to know about the contract, and nothing else.
import { builtInImage, contractFromImage, withoutComments, type Contract, type Service } from "@roundtrip/contract";
import { readFileSync } from "node:fs";
import type { ServiceSettings } from "../service-settings.ts";
import type { ContractSource, ServiceSource } from "./messages.ts";

type ServiceFactory = (contract: Contract, settings: ServiceSettings) => Service;

/** What a module with services exports. */
export type ServiceModule = Readonly<Record<string, ServiceFactory>>;

/** The contract without its comments, which no call needs. */
export function loadContract(source: ContractSource): Contract {
  const image = source.kind === "built-in" ? builtInImage() : readFileSync(source.path);
  return contractFromImage(withoutComments(image));
}

export function serviceFrom(
  module: ServiceModule,
  source: ServiceSource,
  contract: Contract,
  settings: ServiceSettings,
): Service {
  const factory = module[source.factory];
  if (factory === undefined) throw new Error(`${source.module} exports no ${source.factory}`);
  return factory(contract, settings);
}
