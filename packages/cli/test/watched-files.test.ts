// Changes of files are heard, whoever writes them and however fast.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { WatchedFiles } from "../src/fake/watched-files.ts";
import { emptyFolder, until } from "./support/run-program.ts";

/** Watches a place; what it gives resolves when a change has been heard since it was last asked. */
function heardAt(...paths: readonly string[]): () => Promise<true> {
  let heard = false;
  const watched = new WatchedFiles(paths, () => (heard = true));
  onTestFinished(() => watched[Symbol.dispose]());
  return async () => {
    await until(() => (heard ? true : undefined));
    // What else the same change makes known.
    await sleep(20);
    heard = false;
    return true;
  };
}

it("folders in a folder are seen, new ones and replaced ones too", async () => {
  const folder = join(emptyFolder(), "proto");
  mkdirSync(join(folder, "old"), { recursive: true });
  const heard = heardAt(folder);
  writeFileSync(join(folder, "old", "a.proto"), "a");
  expect(await heard()).toBe(true);
  mkdirSync(join(folder, "new", "deep"), { recursive: true });
  expect(await heard()).toBe(true);
  writeFileSync(join(folder, "new", "deep", "b.proto"), "b");
  expect(await heard()).toBe(true);
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, "old"), { recursive: true });
  expect(await heard()).toBe(true);
  writeFileSync(join(folder, "old", "a.proto"), "c");
  expect(await heard()).toBe(true);
});

it("a link above a folder is followed when it is linked anew", async () => {
  const folder = emptyFolder();
  for (const name of ["a", "b"]) mkdirSync(join(folder, name, "v1"), { recursive: true });
  const link = join(folder, "current");
  symlinkSync("a", link);
  const heard = heardAt(join(link, "v1"));
  for (const name of ["b", "a"]) {
    symlinkSync(name, join(folder, "next"));
    renameSync(join(folder, "next"), link);
    expect(await heard()).toBe(true);
    writeFileSync(join(folder, name, "v1", "a.proto"), name);
    expect(await heard()).toBe(true);
  }
});
