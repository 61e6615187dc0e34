// What `roundtrip types` writes for a contract, as files in memory.
import type { Contract } from "@roundtrip/contract";
import { distinctNames, type RenamedMember } from "./distinct-names.ts";
import { runGenerator, type GeneratedFile } from "./run-generator.ts";
import { serviceIndex } from "./service-index.ts";

export interface TypesForm {
  readonly language: "ts" | "js";
  /** The ending of names by which generated files import each other. */
  readonly imports: "js" | "ts" | "none";
}

export interface GeneratedTypes {
  readonly files: readonly GeneratedFile[];
  readonly renamed: readonly RenamedMember[];
}

// Objects in the place of TypeScript's enums: they work wherever types are merely stripped.
const parameterOf = {
  ts: "target=ts,erasable_syntax=true",
  js: "target=js+dts",
} as const;

/** Generates types of all messages and services, and an index of the services that have operations here. */
export async function generateTypes(contract: Contract, { language, imports }: TypesForm): Promise<GeneratedTypes> {
  const { files, renamed } = distinctNames(contract.registry);
  const generated = await runGenerator(files, `${parameterOf[language]},import_extension=${imports}`);
  const services = [...new Set(contract.operations.map(({ method }) => method.parent))];
  const ending = imports === "none" ? "" : `.${imports}`;
  const extensions = language === "ts" ? ["ts"] : ["js", "d.ts"];
  const indexes = extensions.map((extension) => serviceIndex(services, generated, extension, ending));
  return { files: [...generated, ...indexes], renamed };
}
