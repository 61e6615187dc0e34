// Contracts from texts, compiled by the same code as a user's folder.
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { mkdtempSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { contractFromImage, type Contract } from "@roundtrip/contract";
import { loadContractFrom } from "../../../cli/src/contract/contract-source.ts";

type Files = Readonly<Record<string, string>>;

/** Compiles files, by their names, into a contract. */
export async function compileFiles(files: Files): Promise<Contract> {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-check-test-"));
  try {
    await Promise.all(
      Object.entries(files).map(async ([name, text]) => {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }),
    );
    await using loaded = await loadContractFrom([folder]);
    return loaded.contract;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const packageName = "shop";

/** As long as the package's name, so that the bytes of an image can have one for the other. */
function standIn(index: number): string {
  return `s${String(index).padStart(packageName.length - 1, "0")}`;
}

/** Compiles variants of the package `shop` in one run of the compiler: each has a package of another name meanwhile. Files of a variant import each other. */
export async function compileVariants(variants: readonly Files[]): Promise<readonly Contract[]> {
  const files = variants.flatMap((variant, index) =>
    Object.entries(variant).map(([name, text]): readonly [string, string] => {
      const imports = Object.keys(variant).reduce(
        (changed, other) => changed.replace(`import "${other}"`, `import "${standIn(index)}/${other}"`),
        text,
      );
      return [`${standIn(index)}/${name}`, imports.replaceAll(`${packageName}.`, `${standIn(index)}.`)];
    }),
  );
  const { registry } = await compileFiles(Object.fromEntries(files));
  const all = [...registry.files].map(({ proto }) => proto);
  const given = new Set(files.map(([name]) => name));
  const common = all.filter(({ name }) => !given.has(name));
  return variants.map((_, index) => {
    const own = all.filter(({ name }) => given.has(name) && name.startsWith(standIn(index)));
    const image = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...common, ...own] }));
    const renamed = Buffer.from(image).toString("latin1").replaceAll(standIn(index), packageName);
    return contractFromImage(Buffer.from(renamed, "latin1"));
  });
}
