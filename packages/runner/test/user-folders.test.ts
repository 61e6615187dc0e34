// Folders of a user who has no home directory, as in many containers, or an unusual environment.
import { afterEach, expect, it, vi } from "vitest";
import { codeCacheEnvironment } from "../src/processes/child.ts";
import { cacheFolder, homeFolder } from "@roundtrip/runs/files";

afterEach(() => vi.unstubAllEnvs());

it.each([
  { given: "/caches", home: "/home/one", folder: "/caches" },
  { given: undefined, home: "/home/one", folder: "/home/one/.cache" },
  { given: "", home: "/home/one", folder: "/home/one/.cache" },
  { given: "caches", home: "/home/one", folder: "/home/one/.cache" },
  { given: "caches", home: "", folder: undefined },
])("the folder for caches is $folder with XDG_CACHE_HOME=$given and HOME=$home", ({ given, home, folder }) => {
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CACHE_HOME", given);
  expect(cacheFolder()).toBe(folder);
  const expected = folder === undefined ? {} : { NODE_COMPILE_CACHE: `${folder}/roundtrip/code` };
  expect(codeCacheEnvironment()).toEqual(expected);
});

it("a home directory is undefined where HOME is empty", () => {
  vi.stubEnv("HOME", "");
  expect(homeFolder()).toBeUndefined();
});
