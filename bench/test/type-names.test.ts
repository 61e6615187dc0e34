// One name for one type: no two packages or files export types of the same name.
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./support/source-files.ts";

/** Names that several files still export a type under. Remove a name once it is unique. */
const toRename: readonly string[] = [];

const owners = Map.groupBy(
  sourceFiles()
    .filter(({ path }) => /^packages\/[^/]+\/src\//.test(path))
    .flatMap(({ path, exportedTypes }) => exportedTypes.map((name) => ({ name, path }))),
  ({ name }) => name,
);

const shared = [...owners].filter(([, declarations]) => declarations.length > 1);

describe("the name of an exported type", () => {
  it("is found", () => {
    expect(owners.get("CallError")?.map(({ path }) => path)).toEqual(["packages/contract/src/basics/call-error.ts"]);
  });

  it("belongs to one type", () => {
    const found = shared.filter(([name]) => !toRename.includes(name));
    expect(found.map(([name, declarations]) => `${name}: ${declarations.map(({ path }) => path).join(", ")}`)).toEqual(
      [],
    );
  });

  it("leaves the list once it belongs to one type", () => {
    const names = shared.map(([name]) => name);
    expect(toRename.filter((name) => !names.includes(name))).toEqual([]);
  });
});
