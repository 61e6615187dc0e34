// What `roundtrip types` writes for a contract, as files in memory.
import type { Contract } from "@roundtrip/contract";
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { runGenerator, type GeneratedFile } from "./run-generator.ts";
import { serviceIndex } from "./service-index.ts";

export interface TypesForm {
  readonly language: "ts" | "js";
  /** The ending of names by which generated files import each other. */
  readonly imports: "js" | "ts" | "none";
}

// Objects in the place of TypeScript's enums: they work wherever types are merely stripped.
const parameterOf = {
  ts: "target=ts,erasable_syntax=true",
  js: "target=js+dts",
} as const;

/** Generates types of all messages and services, and an index of the services that have operations here. */
export async function generateTypes(
  contract: Contract,
  { language, imports }: TypesForm,
): Promise<readonly GeneratedFile[]> {
  const files: readonly FileDescriptorProto[] = [...contract.registry.files].map(({ proto }) => proto);
  const generated = await runGenerator(files, `${parameterOf[language]},import_extension=${imports}`);
  const services = [...new Set(contract.operations.map(({ method }) => method.parent))];
  const ending = imports === "none" ? "" : `.${imports}`;
  const extensions = language === "ts" ? ["ts"] : ["js", "d.ts"];
  return [...generated, ...extensions.map((extension) => serviceIndex(services, generated, extension, ending))];
}
