// Generates the code of all files of a contract: large ones in parts, which takes seconds instead of minutes.
import type { FileRegistry } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { requireQuick } from "./generator-time.ts";
import { type GeneratedFile, isGenerated, runGenerator } from "./run-generator.ts";
import { distinctNamesOf, joinedCode, partsOf } from "./split-file.ts";

/** Files of more types are generated in parts. */
const maxTypes = 200;

/**
 * The code of a file, generated in parts. Undefined if only the generator can tell its names apart.
 * @param before the files before it, its imports among them
 * @param partSize see {@link partsOf}
 */
export async function inParts(
  whole: FileDescriptorProto,
  before: readonly FileDescriptorProto[],
  parameter: string,
  partSize?: number,
): Promise<readonly GeneratedFile[] | undefined> {
  const parts = partsOf(whole, partSize);
  const [first] = parts;
  const names = distinctNamesOf(whole);
  if (first === undefined || names === undefined) return undefined;
  const files = parts.map(({ file }) => (file === first.file ? whole : file));
  const code = await runGenerator({
    files: [...before, ...parts.flatMap(({ stubs }, index) => [stubs, ...files.slice(index, index + 1)])],
    generated: files,
    declared: first.file,
    parameter,
  });
  // Of each language, one text for each part.
  const languages = Array.from({ length: code.length / parts.length }, (_, index) =>
    code.slice(index * parts.length, (index + 1) * parts.length),
  );
  const joined = languages.map((texts) => ({
    name: texts[0]?.name ?? "",
    text: joinedCode(
      parts,
      texts.map(({ text }) => text),
      names,
    ),
  }));
  return joined.every((file): file is GeneratedFile => file.text !== undefined) ? joined : undefined;
}

/**
 * The code of all files that the runtime library lacks. Rejects with a CliError `unavailable` if it would take too long.
 * @param files of the registry, each after its imports; their names in code may differ
 * @param parameter the generator's options, separated by commas
 */
export async function generateFiles(
  registry: FileRegistry,
  files: readonly FileDescriptorProto[],
  parameter: string,
): Promise<readonly GeneratedFile[]> {
  const code: GeneratedFile[] = [];
  const whole: FileDescriptorProto[] = [];
  for (const [index, file] of files.entries()) {
    if (!isGenerated(file)) continue;
    const types = registry.getFile(file.name);
    const isLarge = types !== undefined && [...nestedTypes(types)].length > maxTypes && file.name.endsWith(".proto");
    if (isLarge) requireQuick([types], { inParts: true });
    // oxlint-disable-next-line no-await-in-loop -- each takes a processor
    const joined = isLarge ? await inParts(file, files.slice(0, index), parameter) : undefined;
    if (joined === undefined) whole.push(file);
    else code.push(...joined);
  }
  requireQuick(
    whole.flatMap(({ name }) => registry.getFile(name) ?? []),
    { inParts: false },
  );
  if (whole.length === 0) return code;
  return [...code, ...(await runGenerator({ files, generated: whole, parameter }))];
}
