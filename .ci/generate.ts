// Writes every generated file: types and image of the contract, the styles' documents, and the table of limits in a guide. With --check, fails for checked-in files that differ.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonSchemas } from "../packages/fakes/src/files/json-schemas.ts";
import { withLimits } from "./limits.ts";

interface Generator {
  /** The directory of the files, relative to the project's root. */
  readonly directory: string;
  /** Whether the directory must not contain other files. */
  readonly onlyGenerated: boolean;
  /** Writes the files as if `root` were the project's root. */
  generate(root: string): void;
}

const commandLine = "packages/cli/bin/roundtrip.js";

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}

const generators: readonly Generator[] = [
  {
    directory: "packages/contract/src/gen",
    onlyGenerated: true,
    generate(root) {
      run("buf", "generate", "--output", root);
      run("buf", "build", "proto", "--output", join(root, this.directory, "roundtrip.binpb"));
    },
  },
  {
    directory: "packages/conformance/src/gen",
    onlyGenerated: true,
    generate(root) {
      const proto = "packages/conformance/proto";
      run("buf", "generate", proto, "--template", "packages/conformance/buf.gen.yaml", "--output", root);
      run("buf", "build", proto, "--exclude-source-info", "--output", join(root, this.directory, "conformance.binpb"));
    },
  },
  {
    directory: "schema",
    onlyGenerated: false,
    generate(root) {
      const made = join(root, this.directory);
      run("node", commandLine, "describe", "--out", made);
      renameSync(join(made, "schema.graphql"), join(made, "roundtrip.graphql"));
      for (const [name, schema] of Object.entries(jsonSchemas()))
        writeFileSync(join(made, name), `${JSON.stringify(schema, null, 2)}\n`);
    },
  },
  {
    directory: "docs",
    onlyGenerated: false,
    generate(root) {
      const guide = "fakes.md";
      mkdirSync(join(root, this.directory));
      writeFileSync(join(root, this.directory, guide), withLimits(readFileSync(join(this.directory, guide), "utf8")));
    },
  },
];

function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

function differs(made: string, kept: string): boolean {
  return !existsSync(made) || !existsSync(kept) || !readFileSync(made).equals(readFileSync(kept));
}

function drift({ directory, onlyGenerated }: Generator, root: string): string[] {
  const made = join(root, directory);
  const names = new Set([...filesBelow(made), ...(onlyGenerated ? filesBelow(directory) : [])]);
  return [...names].map((name) => join(directory, name)).filter((path) => differs(join(root, path), path));
}

function keep({ directory, onlyGenerated }: Generator, root: string): void {
  if (onlyGenerated) rmSync(directory, { recursive: true, force: true });
  if (existsSync(join(root, directory))) cpSync(join(root, directory), directory, { recursive: true });
}

const root = mkdtempSync(join(tmpdir(), "roundtrip-generate-"));
try {
  for (const generator of generators) {
    generator.generate(root);
    if (!process.argv.includes("--check")) {
      keep(generator, root);
      continue;
    }
    for (const path of drift(generator, root)) {
      console.error(`${path} is not what would be generated now`);
      process.exitCode = 1;
    }
  }
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true });
}
