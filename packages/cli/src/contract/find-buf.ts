// Where buf is.
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** The program for this machine, which its npm package brings, without the launcher in front of it that takes longer than buf. */
export function findBuf(): readonly [program: string, ...args: string[]] {
  const installed = findPackageJSON("@bufbuild/buf", import.meta.url) ?? "";
  try {
    // A dependency of buf's package, not of this one.
    const name = `@bufbuild/buf-${process.platform}-${process.arch}/bin/buf`;
    return [createRequire(installed).resolve(name)];
  } catch {
    // Where the package of this machine has another name, or is not installed, the launcher knows more.
    return [process.execPath, join(dirname(installed), "bin", "buf")];
  }
}
