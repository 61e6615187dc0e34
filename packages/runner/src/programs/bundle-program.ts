// Makes one program of all modules that a process needs: the same code in fewer files, which start in less than half the processor time.
import { roomFile } from "@roundtrip/stacks";
import { createHash } from "node:crypto";
import { rolldown, type Plugin, type RolldownOutput } from "rolldown";
import { fileOf, inItsPlace } from "./in-its-place.ts";
import { answeringFile, type Role } from "./programs.ts";
import { serviceModules } from "./service-modules.ts";

export interface ProgramSource {
  readonly role: Role;
  readonly stack: string;
  /** The module of the service: a URL or a path. */
  readonly service: string;
}

/** The files of a program, by name, and what names them all. */
export interface Program {
  readonly files: ReadonlyMap<string, string>;
  /** The file that a process runs: it says which end it is, where somebody lists processes. */
  readonly main: string;
  /** The files that it was made of. */
  readonly modules: readonly string[];
  /** Of names and contents. */
  readonly hash: string;
}

const entry = "roundtrip:main";

/** The program's first module: what its sources find when they are told which stack, it names. */
function entryOf({ role, stack, service }: ProgramSource): string {
  const [answering, room] = [answeringFile(role), roomFile(stack, role)].map((file) => JSON.stringify(file));
  if (role === "client") {
    return `import { answerAsClient } from ${answering};
import { connect } from ${room};
answerAsClient({ loadConnect: async () => connect });`;
  }
  return `import { answerAsServer } from ${answering};
import { serve } from ${room};
answerAsServer({ loadServe: async () => serve, loadService: () => import(${JSON.stringify(fileOf(service))}) });`;
}

function mainModule(code: string): Plugin {
  return {
    name: "main-module",
    resolveId: (specifier) => (specifier === entry ? specifier : null),
    load: (id) => (id === entry ? { code, moduleType: "js" } : null),
  };
}

/** Loaded by an arm that asks for it, and starts threads from a file of its own. */
const staysOutside: Plugin = {
  name: "stays-outside",
  async resolveId(specifier, importer, extra) {
    if (specifier !== "autocannon") return null;
    const resolved = await this.resolve(specifier, importer, { ...extra, skipSelf: true });
    return resolved && { id: resolved.id, external: "absolute" };
  },
};

function programOf({ output }: RolldownOutput, main: string): Program {
  const files = new Map(output.map((part) => [part.fileName, part.type === "chunk" ? part.code : String(part.source)]));
  const hash = createHash("sha256");
  for (const [name, code] of files) hash.update(`${name}\n${code}\n`);
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  return { files, main: `${main}.mjs`, modules, hash: hash.digest("hex").slice(0, 16) };
}

/**
 * Nothing is left out, renamed away or computed ahead, and what a module loads later is still loaded later. Rejects with what cannot be
 * bundled.
 */
export async function bundleProgram(source: ProgramSource): Promise<Program> {
  const main = `${source.role}-process`;
  await using bundle = await rolldown({
    input: { [main]: entry },
    platform: "node",
    // Those of Node.js itself: a package may have other files for bundlers.
    resolve: { conditionNames: ["node", "node-addons", "module-sync"] },
    plugins: [mainModule(entryOf(source)), staysOutside, serviceModules(source.service), inItsPlace],
    treeshake: false,
    optimization: { inlineConst: false },
    tsconfig: false,
    transform: { typescript: { onlyRemoveTypeImports: true } },
    onLog: (level, log) => {
      if (level === "warn" && log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
    },
  });
  return programOf(
    await bundle.generate({ format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs", minify: false }),
    main,
  );
}
