// What a parser sees in a TypeScript file: its imports and exports, how it opens, and its words.
import { posix } from "node:path";
import { parseSync, Visitor, type Argument, type Expression } from "oxc-parser";

export interface Import {
  /** A package as written, or a file of the project as a path from its root. */
  readonly target: string;
  /** Gone at run time: nothing of the target is loaded. */
  readonly typesOnly: boolean;
}

export interface FileFacts {
  readonly opensWithComment: boolean;
  readonly imports: readonly Import[];
  readonly hasStarExport: boolean;
  /** Interfaces, type aliases, classes and enums that the file exports under their own names. */
  readonly exportedTypes: readonly string[];
  /** Names that the file declares or uses: variables, parameters, functions, types, properties and methods. */
  readonly names: readonly string[];
  /** String and template literals, without module specifiers. */
  readonly texts: readonly string[];
  readonly comments: readonly string[];
}

type Node = Argument | Expression | null | undefined;

const typeNodes: ReadonlySet<string> = new Set([
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration",
  "ClassDeclaration",
]);

function textOf(node: Node): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** The facts of a TypeScript source. @param path from the project's root: imports are relative to it, and it gives the dialect. */
export function factsOf(path: string, text: string): FileFacts {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const exportedTypes: string[] = [];
  const names = new Set<string>();
  const texts: string[] = [];
  const specifiers = new Set<unknown>();
  // Every module that the file names by a literal: statically, dynamically, in a type, or as the URL of a process to start.
  const take = (node: Node, typesOnly: boolean): void => {
    const specifier = textOf(node);
    if (specifier === undefined) return;
    const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
    imports.push({ target, typesOnly });
  };
  const takeSpecifier = (node: Node, typesOnly: boolean): void => {
    specifiers.add(node);
    take(node, typesOnly);
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => takeSpecifier(source, importKind === "type"),
    ExportNamedDeclaration({ declaration, source, exportKind }) {
      takeSpecifier(source, exportKind === "type");
      if (declaration === null || !("id" in declaration) || declaration.id?.type !== "Identifier") return;
      if (typeNodes.has(declaration.type)) exportedTypes.push(declaration.id.name);
    },
    ExportAllDeclaration: ({ source, exportKind }) => takeSpecifier(source, exportKind === "type"),
    ImportExpression: ({ source }) => takeSpecifier(source, false),
    TSImportType: ({ source }) => take(source, true),
    NewExpression({ callee, arguments: [url, base] }) {
      const besideThisFile = base?.type === "MemberExpression" && base.object.type === "MetaProperty";
      if (callee.type === "Identifier" && callee.name === "URL" && besideThisFile) take(url, false);
    },
    Identifier: ({ name }) => void names.add(name),
    PrivateIdentifier: ({ name }) => void names.add(name),
    Literal(node) {
      if (typeof node.value === "string" && !specifiers.has(node)) texts.push(node.value);
    },
    TemplateElement: ({ value }) => void texts.push(value.cooked ?? value.raw),
  }).visit(program);
  return {
    opensWithComment: /^(#!.*\n)?$/.test(text.slice(0, comments[0]?.start ?? text.length)),
    imports,
    hasStarExport: program.body.some((node) => node.type === "ExportAllDeclaration" && node.exported === null),
    exportedTypes,
    names: [...names],
    texts,
    comments: comments.map(({ value }) => value),
  };
}
