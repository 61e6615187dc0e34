// Compiles a folder of .proto files with buf, together with the files that contracts commonly import and few keep a copy of.
import { execFile } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { CliError } from "./cli-error.ts";

const compileTimeoutMs = 60_000;

const bufFolder = dirname(findPackageJSON("@bufbuild/buf", import.meta.url) ?? ".");
const contractFolder = dirname(findPackageJSON("@roundtrip/contract", import.meta.url) ?? ".");

/** True when buf finds a configuration for the folder: then it knows better than we do where imports come from. */
function isConfigured(folder: string): boolean {
  if (["buf.yaml", "buf.work.yaml"].some((name) => existsSync(join(folder, name)))) return true;
  const above = dirname(folder);
  return above !== folder && isConfigured(above);
}

/** A copy of the folder's .proto files, with those of google.api, google.rpc and buf.validate that it lacks. */
async function withCommonImports(folder: string, room: string): Promise<string> {
  const copy = join(room, "proto");
  await mkdir(copy);
  await cp(join(contractFolder, "well-known"), copy, { recursive: true });
  // In place of the few rules that our own contract uses, and carries in every image.
  await cp(join(contractFolder, "complete-rules"), copy, { recursive: true });
  await cp(folder, copy, {
    recursive: true,
    filter: (path) => {
      const isOther = [".git", "node_modules"].includes(basename(path));
      return !isOther && (extname(path) === "" || extname(path) === ".proto" || path === folder);
    },
  });
  return copy;
}

const unknownRule = /cannot find message field|unknown extension buf\.validate/;

/** What helps against a rule that is newer than we are; empty for all else. */
function ruleAdvice(stderr: string): string {
  if (!unknownRule.test(stderr) || !stderr.includes("buf.validate.")) return "";
  return "\n  the rules known here are those of protovalidate 1.2; a buf/validate/validate.proto in the folder itself is used instead";
}

/** buf's `file:line:column:message` lines, with the path that the user gave. */
function faultsIn(stderr: string, compiled: string, given: string): readonly string[] {
  return stderr
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replaceAll(compiled, given)
        .replace(/^Failure: /, ""),
    )
    .filter((line) => line !== "")
    .map((line) => line.replace(/^(.+?:\d+:\d+):(?=\S)/, "$1: "));
}

/** Compiles a folder into an image inside the room, and gives its path. Rejects with a CliError that names file and line. */
export async function compileContract(folder: string, room: string): Promise<string> {
  if (globSync("**/*.proto", { cwd: folder }).length === 0) {
    throw new CliError("usage", `there are no .proto files in ${folder}`);
  }
  const imagePath = join(room, "contract.binpb");
  const compiled = isConfigured(resolve(folder)) ? folder : await withCommonImports(folder, room);
  const buf = join(bufFolder, "bin", "buf");
  const command = [buf, "build", compiled, "--output", imagePath, "--error-format", "text"];
  await new Promise<void>((done, reject) => {
    execFile(process.execPath, command, { timeout: compileTimeoutMs }, (error, _stdout, stderr) => {
      if (error === null) {
        done();
        return;
      }
      const [first = error.message, ...others] = faultsIn(stderr, compiled, folder);
      const rest = others.map((fault) => `\n  ${fault}`).join("");
      const text = `the contract in ${folder} does not compile: ${first}${rest}${ruleAdvice(stderr)}`;
      reject(new CliError("usage", text, { cause: error }));
    });
  });
  return imagePath;
}
