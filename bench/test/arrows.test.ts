// Which package may know which: the arrows of the architecture, held against what the sources really import.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot, sourceFiles, type Import } from "./support/source-files.ts";

/** The packages that a package's sources may load. Its tests and the self benchmarks may load anything. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  analysis: [],
  service: ["contract"],
  fakes: ["contract", "stacks"],
  stacks: ["contract"],
  runner: ["contract", "stacks"],
  k6: ["analysis", "contract", "runner", "stacks"],
  report: ["analysis"],
  bench: ["contract", "fakes", "runner"],
  cli: ["analysis", "bench", "contract", "fakes", "k6", "report", "runner", "service", "stacks"],
};

/** The packages whose types alone may be named: what the runner writes is the form that analysis reads. */
const typeArrows: Readonly<Record<string, readonly string[]>> = { runner: ["analysis"] };

/** Data that a package may load from one whose types alone it may name: entries of a file that imports nothing. */
const dataEntries: Readonly<Record<string, string>> = {
  "@roundtrip/analysis/call-columns": "packages/analysis/src/call-columns.ts",
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

/** The folder of packages/stacks/src that a path lies in. */
function stackOf(path: string): string | undefined {
  return /^packages\/stacks\/src\/([^/]+)\//.exec(path)?.[1];
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

const stackFolders = new Set(sources.map(({ path }) => /^(packages\/stacks\/src\/[^/]+)\/index\.ts$/.exec(path)?.[1]));

function isStack(folder: string | undefined): boolean {
  return folder !== undefined && stackFolders.has(`packages/stacks/src/${folder}`);
}

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

describe("a stack's folder", () => {
  it("is imported by nothing outside itself, so that a process loads only the stack under test", () => {
    const strays = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => isStack(stackOf(target)) && stackOf(target) !== stackOf(path))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(strays).toEqual([]);
  });
});

/** The only places of packages/stacks/src that import a server or client library, be it a type: everything else is about a style or about HTTP. */
const libraryPlaces: Readonly<Record<string, readonly string[]>> = {
  "@grpc/grpc-js": ["grpc-js/library/", "grpc-js/server.ts"],
  "@apollo/server": ["graphql-apollo/server.ts"],
  "@as-integrations/express5": ["graphql-apollo/server.ts"],
  express: ["graphql-apollo/library/", "graphql-apollo/server.ts", "http/express/", "rest-express/server.ts"],
  undici: ["http/undici/"],
};

describe("a library that serves or calls", () => {
  it.each(Object.entries(libraryPlaces))("%s is imported where it is bound, and nowhere else", (library, places) => {
    const importers = sources.flatMap(({ path, from, imports }) =>
      from === "stacks" && imports.some(({ target }) => target === library || target.startsWith(`${library}/`))
        ? [path.replace("packages/stacks/src/", "")]
        : [],
    );
    expect(importers.filter((path) => !places.some((place) => path.startsWith(place)))).toEqual([]);
    expect(places.filter((place) => !importers.some((path) => path.startsWith(place)))).toEqual([]);
  });
});

/** What bindings of several styles share. */
const sharedBindings = ["http/express/", "http/node-server/", "http/undici/"].map(
  (folder) => `packages/stacks/src/${folder}`,
);

/** Folders in which the style is apart from its bindings, and the files there that may import bindings: the style's may not. */
const takenApart: Readonly<Record<string, readonly string[]>> = {
  "graphql-apollo/": ["library/", "index.ts", "server.ts", "client.ts", "parts.ts"],
  "grpc-js/": ["library/", "index.ts", "server.ts", "client.ts", "parts.ts"],
  "http/": [],
  "rest-express/": ["server.ts", "client.ts"],
};

describe("a style", () => {
  it.each(Object.entries(takenApart))("of %s imports no binding", (folder, files) => {
    const bindings = [...files.map((file) => `packages/stacks/src/${folder}${file}`), ...sharedBindings];
    const isBinding = (path: string) => bindings.some((binding) => path.startsWith(binding));
    const strays = sources
      .filter(({ path }) => path.startsWith(`packages/stacks/src/${folder}`) && !isBinding(path))
      .flatMap(({ path, imports }) =>
        imports.filter(({ target }) => isBinding(target)).map(({ target }) => `${path} → ${target}`),
      );
    expect(strays).toEqual([]);
  });
});
