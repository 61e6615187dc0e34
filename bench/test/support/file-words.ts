// The words of the project's TypeScript as a parser sees them: exported types, declared names, and texts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { projectRoot } from "./source-files.ts";

/** The names and texts of one file. */
export interface FileWords {
  /** Interfaces, type aliases, classes and enums that the file exports under their own names. */
  readonly exportedTypes: readonly string[];
  /** Names that the file declares: variables, parameters, functions, types, properties and methods. */
  readonly names: readonly string[];
  /** String and template literals, without module specifiers. */
  readonly texts: readonly string[];
  readonly comments: readonly string[];
}

const typeNodes: ReadonlySet<string> = new Set([
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration",
  "ClassDeclaration",
]);

/** Reads the words of a TypeScript file. @param path from the project's root. */
export function wordsOf(path: string): FileWords {
  const { program, comments } = parseSync(path, readFileSync(join(projectRoot, path), "utf8"));
  const exportedTypes: string[] = [];
  const names = new Set<string>();
  const texts: string[] = [];
  const specifiers = new Set<unknown>();
  new Visitor({
    ImportDeclaration: ({ source }) => void specifiers.add(source),
    ImportExpression: ({ source }) => void specifiers.add(source),
    ExportAllDeclaration: ({ source }) => void specifiers.add(source),
    ExportNamedDeclaration({ declaration, source }) {
      specifiers.add(source);
      if (declaration !== null && declaration !== undefined && "id" in declaration) {
        const { id } = declaration;
        if (typeNodes.has(declaration.type) && id?.type === "Identifier") exportedTypes.push(id.name);
      }
    },
    Identifier: ({ name }) => void names.add(name),
    PrivateIdentifier: ({ name }) => void names.add(name),
    Literal(node) {
      if (typeof node.value === "string" && !specifiers.has(node)) texts.push(node.value);
    },
    TemplateElement: ({ value }) => void texts.push(value.cooked ?? value.raw),
  }).visit(program);
  return { exportedTypes, names: [...names], texts, comments: comments.map(({ value }) => value) };
}
