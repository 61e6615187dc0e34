// Where bundled programs are: named by what they hold, so that none is ever stale and what Node.js has compiled of one is found again by the
// next run.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keptFolder } from "../processes/code-cache.ts";
import type { Program } from "./bundle-program.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Every change of a source makes another program: those that nobody has begun a run with for a day are removed. */
async function forgetUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > dayMs) await rm(path, { recursive: true, force: true });
  }
}

/** Writes a program down unless it is there. Resolves to the file that a process runs. */
export async function keepProgram({ files, main, hash }: Program): Promise<string> {
  const folder = keptFolder("programs");
  const own = join(folder, hash);
  if (existsSync(own)) {
    await utimes(own, new Date(), new Date());
    return join(own, main);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await forgetUnused(folder).catch(() => undefined);
  const begun = await mkdtemp(join(folder, "begun-"));
  await Promise.all([...files].map(([name, code]) => writeFile(join(begun, name), code)));
  // Another run may have been faster: its program is the same.
  await rename(begun, own).catch(async (thrown: unknown) => {
    await rm(begun, { recursive: true });
    if (!existsSync(own)) throw thrown;
  });
  return join(own, main);
}
