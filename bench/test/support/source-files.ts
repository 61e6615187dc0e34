// The project's own TypeScript as a parser sees it: what each file imports and exports, and how it opens.
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync, Visitor, type Argument, type Expression, type ParseResult } from "oxc-parser";

/** The project's root, which every path here is relative to. */
export const projectRoot = join(import.meta.dirname, "..", "..", "..");

export interface Import {
  /** A package as written, or a file of the project as a path from its root. */
  readonly target: string;
  /** Gone at run time: nothing of the target is loaded. */
  readonly typesOnly: boolean;
}

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly opensWithComment: boolean;
  readonly imports: readonly Import[];
  readonly hasStarExport: boolean;
}

type Node = Argument | Expression | null | undefined;

function textOf(node: Node): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** Every module that the file names by a literal: statically, dynamically, in a type, or as the URL of a process to start. */
function importsOf(program: ParseResult["program"], path: string): Import[] {
  const found: Import[] = [];
  const take = (node: Node, typesOnly: boolean) => {
    const specifier = textOf(node);
    if (specifier === undefined) return;
    const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
    found.push({ target, typesOnly });
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => take(source, importKind === "type"),
    ExportNamedDeclaration: ({ source, exportKind }) => take(source, exportKind === "type"),
    ExportAllDeclaration: ({ source, exportKind }) => take(source, exportKind === "type"),
    ImportExpression: ({ source }) => take(source, false),
    TSImportType: ({ source }) => take(source, true),
    NewExpression({ callee, arguments: [url, base] }) {
      const besideThisFile = base?.type === "MemberExpression" && base.object.type === "MetaProperty";
      if (callee.type === "Identifier" && callee.name === "URL" && besideThisFile) take(url, false);
    },
  }).visit(program);
  return found;
}

function read(path: string): SourceFile {
  const text = readFileSync(join(projectRoot, path), "utf8");
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return {
    path,
    opensWithComment: /^(#!.*\n)?$/.test(text.slice(0, comments[0]?.start ?? text.length)),
    imports: importsOf(program, path),
    hasStarExport: program.body.some((node) => node.type === "ExportAllDeclaration" && node.exported === null),
  };
}

const isForeign = (path: string): boolean => /(^|[\\/])(gen|node_modules|dist)$/.test(path);

let known: readonly SourceFile[] | undefined;

/** Every TypeScript file that is written by hand: sources, studies, tests and checks. Parsed once for all tests of a process. */
export function sourceFiles(): readonly SourceFile[] {
  const patterns = ["packages/*/{src,test}/**/*.ts", "bench/**/*.ts", ".ci/**/*.ts", "*.ts"];
  known ??= globSync(patterns, { cwd: projectRoot, exclude: isForeign })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map(read);
  return known;
}
