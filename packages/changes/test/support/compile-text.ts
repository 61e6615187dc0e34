// Contracts from texts, compiled by the same code as a user's folder.
import { mkdtempSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Contract } from "@roundtrip/contract";
import { loadContractFrom } from "../../../cli/src/contract/contract-source.ts";
import { standIn, variantOf } from "../../../stacks/test/support/compile-contract.ts";

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

/** Compiles variants of the package `shop` in one run of the compiler: each has a package of another name meanwhile. Files of a variant import each other. */
export async function compileVariants(variants: readonly Files[]): Promise<readonly Contract[]> {
  const files = variants.flatMap((variant, index) => {
    const folder = standIn(packageName, index);
    return Object.entries(variant).map(([name, text]): readonly [string, string] => {
      const imports = Object.keys(variant).reduce(
        (changed, imported) => changed.replace(`import "${imported}"`, `import "${folder}/${imported}"`),
        text,
      );
      return [`${folder}/${name}`, imports.replaceAll(`${packageName}.`, `${folder}.`)];
    });
  });
  const { registry } = await compileFiles(Object.fromEntries(files));
  const all = [...registry.files].map(({ proto }) => proto);
  return variants.map((_, index) => variantOf(all, packageName, index));
}
