// What the head of a .proto file says of others: its package and its imports, read without compiling it.

/** One import statement. */
export interface ImportSite {
  /** The imported file, without the `./` that some tools let pass. */
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
}

export interface ProtoDeclarations {
  /** Empty without one. */
  readonly protoPackage: string;
  readonly imports: readonly ImportSite[];
}

// Comments and texts are taken whole, so that nothing in them is a statement.
const statement =
  /\/\/.*|\/\*[^]*?\*\/|\bpackage\s+([\w.]+)\s*;|\bimport\s+(?:(?:public|weak|option)\s+)?(?:"([^"\n]+)"|'([^'\n]+)')|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

function withoutDot(name: string): string {
  return name.replace(/^(?:\.\/)+/, "");
}

/** Reads a file's package and imports. */
export function declarationsIn(text: string): ProtoDeclarations {
  let protoPackage = "";
  const imports: ImportSite[] = [];
  let line = 1;
  let at = 0;
  for (const match of text.matchAll(statement)) {
    const [, named, double, single] = match;
    if (named !== undefined && protoPackage === "") protoPackage = named;
    const imported = double ?? single;
    if (imported === undefined) continue;
    for (; at < match.index; at += 1) if (text[at] === "\n") line += 1;
    imports.push({ name: withoutDot(imported), line });
  }
  return { protoPackage, imports };
}

/** The text with `import "./a.proto"` written as `import "a.proto"`, which is what it means; every line stays where it is. */
export function withPlainImports(text: string): string {
  return text.replaceAll(/(\bimport\s+(?:(?:public|weak|option)\s+)?["'])(?:\.\/)+/g, "$1");
}
