// Where buf is: the program for this machine, which its npm package brings, without the launcher in front of it that takes longer than buf.
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** A program, and the arguments that stand before all others. */
interface BufProgram {
  readonly file: string;
  readonly args: readonly string[];
}

function find(): BufProgram {
  const installed = findPackageJSON("@bufbuild/buf", import.meta.url) ?? "";
  try {
    // A dependency of buf's package, not of this one.
    const name = `@bufbuild/buf-${process.platform}-${process.arch}/bin/buf`;
    return { file: createRequire(installed).resolve(name), args: [] };
  } catch {
    // Where the package of this machine has another name, or is not installed, the launcher knows more.
    return { file: process.execPath, args: [join(dirname(installed), "bin", "buf")] };
  }
}

/** How to run buf. */
export const bufProgram: BufProgram = find();
