// Which package may know which: the arrows of the architecture, held against what the sources really import.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Import } from "./support/file-facts.ts";
import { projectRoot, sourceFiles } from "./support/source-files.ts";

/** The packages that a package's sources may load. Its tests and the self benchmarks may load anything. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  analysis: [],
  service: ["contract"],
  styles: ["contract"],
  changes: ["contract", "styles"],
  conformance: ["contract", "styles"],
  stacks: ["contract", "styles"],
  fakes: ["contract", "stacks", "styles"],
  runner: ["contract", "stacks"],
  k6: ["analysis", "contract", "runner", "stacks", "styles"],
  report: ["analysis"],
  bench: ["contract", "fakes", "runner"],
  cli: [
    "analysis",
    "bench",
    "changes",
    "conformance",
    "contract",
    "fakes",
    "k6",
    "report",
    "runner",
    "service",
    "stacks",
    "styles",
  ],
};

/** The packages whose types alone may be named: what the runner writes is the form that analysis reads. */
const typeArrows: Readonly<Record<string, readonly string[]>> = { runner: ["analysis"] };

/** Data that a package may load from one whose types alone it may name: entries of a file that imports nothing. */
const dataEntries: Readonly<Record<string, string>> = {
  "@roundtrip/analysis/call-columns": "packages/analysis/src/run/call-columns.ts",
};

/** The package whose source a file is: `contract` for packages/contract/src, `bench` for a study, what lists them, and what makes one of a contract. */
function packageOfSource(path: string): string | undefined {
  return (
    /^packages\/([^/]+)\/src\//.exec(path)?.[1] ??
    (/^bench\/([^/]+$|(?:studies|own-contract)\/)/.test(path) ? "bench" : undefined)
  );
}

/** The package that an import reaches; undefined for libraries. */
function packageOfTarget(target: string): string | undefined {
  return /^@roundtrip\/([^/]+)/.exec(target)?.[1] ?? /^(?:packages\/|(?=bench\/))([^/]+)\//.exec(target)?.[1];
}

/** The server or client that a file of packages/stacks belongs to: `rest/servers/express`. */
function bindingOf(path: string): string | undefined {
  return /^packages\/stacks\/src\/([^/]+\/(?:servers|clients)\/[^/]+)\//.exec(path)?.[1];
}

/** The style whose folder a path lies in, in either package. */
function styleOf(path: string): string | undefined {
  return /^packages\/st(?:yles|acks)\/src\/(?!basics\/|shared\/)([^/]+)\//.exec(path)?.[1];
}

function isAllowed(from: string, { target, typesOnly }: Import): boolean {
  const to = packageOfTarget(target);
  if (to === undefined || to === from) return true;
  // Another package is reached by its name: a path into its folder would not survive publishing.
  if (!target.startsWith("@roundtrip/")) return false;
  return (
    arrows[from]?.includes(to) === true ||
    ((typesOnly || Object.hasOwn(dataEntries, target)) && typeArrows[from]?.includes(to) === true)
  );
}

const sources = sourceFiles().flatMap((file) => {
  const from = packageOfSource(file.path);
  return from === undefined ? [] : [{ ...file, from }];
});

describe("the arrows between packages", () => {
  it("are drawn for every package", () => {
    expect([...new Set(sources.map(({ from }) => from))].filter((from) => arrows[from] === undefined)).toEqual([]);
  });

  it("are followed by every import", () => {
    const strays = sources.flatMap(({ path, from, imports }) =>
      imports.filter((found) => !isAllowed(from, found)).map(({ target }) => `${path} → ${target}`),
    );
    expect(strays).toEqual([]);
  });

  it("lead through names, also where anything may be loaded: the self benchmarks know no package's folders", () => {
    const strays = sourceFiles().flatMap(({ path, imports }) =>
      path.startsWith("bench/self/")
        ? imports.filter(({ target }) => target.startsWith("packages/")).map(({ target }) => `${path} → ${target}`)
        : [],
    );
    expect(strays).toEqual([]);
  });

  it("let data be loaded only from files that import nothing", () => {
    const imported = Object.values(dataEntries).map(
      (path) => sourceFiles().find((file) => file.path === path)?.imports,
    );
    expect(imported).toEqual(Object.values(dataEntries).map(() => []));
  });

  it("are followed by every dependency that a package declares", () => {
    const strays = globSync(["packages/*/package.json", "bench/package.json"], { cwd: projectRoot }).flatMap((path) => {
      const { name, dependencies } = JSON.parse(readFileSync(join(projectRoot, path), "utf8")) as {
        readonly name: string;
        readonly dependencies?: Readonly<Record<string, string>>;
      };
      const from = packageOfTarget(name) ?? name;
      return Object.keys(dependencies ?? {})
        .filter((dependency) => !isAllowed(from, { target: dependency, typesOnly: true }))
        .map((dependency) => `${name} → ${dependency}`);
    });
    expect(strays).toEqual([]);
  });
});

/** Imports from one folder to another, as `folderOf` names them. */
function straysBetween(folderOf: (path: string) => string | undefined): readonly string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => folderOf(target) !== undefined && folderOf(target) !== folderOf(path))
      .map(({ target }) => `${path} → ${target}`),
  );
}

describe("the folder of a server or client library", () => {
  it("is imported by nothing outside itself, so that a process loads only what it measures", () => {
    expect(new Set(sources.map(({ path }) => bindingOf(path))).size).toBeGreaterThan(4);
    expect(straysBetween(bindingOf)).toEqual([]);
  });
});

/** Whether an import is of neither this project nor Node.js. */
function isLibrary(target: string): boolean {
  return !/^(?:node:|@roundtrip\/|@bufbuild\/protobuf|packages\/|bench\/)/.test(target);
}

describe("a style", () => {
  it("is imported by no other style", () => {
    const ofStyles = sources.filter(({ path }) => styleOf(path) !== undefined);
    const strays = ofStyles.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => styleOf(target) !== undefined && styleOf(target) !== styleOf(path))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(strays).toEqual([]);
  });

  it("has no library that serves or calls: what imports one is a server, a client, or shared by several", () => {
    const users = sources.filter(
      ({ from, imports }) => from === "stacks" && imports.some(({ target }) => isLibrary(target)),
    );
    const places = /^packages\/stacks\/src\/(?:shared\/|[^/]+\/(?:servers|clients)\/|grpc\/grpc-js\/)/;
    expect(users.map(({ path }) => path).filter((path) => !places.test(path))).toEqual([]);
    const ofBindings = new Set(users.flatMap(({ imports }) => imports.map(({ target }) => target).filter(isLibrary)));
    const ofStyles = sources.filter(({ from }) => from === "styles");
    const strays = ofStyles.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => ofBindings.has(target) && target !== "graphql")
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(strays).toEqual([]);
  });
});
