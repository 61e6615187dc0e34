// Locates the buf program.
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** The native program in buf's npm package. Its launcher would take longer to start than buf. */
export function findBuf(): readonly [program: string, ...args: string[]] {
  const installed = findPackageJSON("@bufbuild/buf", import.meta.url) ?? "";
  try {
    // The package is a dependency of buf's package, not of this one.
    const name = `@bufbuild/buf-${process.platform}-${process.arch}/bin/buf`;
    return [createRequire(installed).resolve(name)];
  } catch {
    // If the native package is missing or has another name, the launcher may find it.
    return [process.execPath, join(dirname(installed), "bin", "buf")];
  }
}
