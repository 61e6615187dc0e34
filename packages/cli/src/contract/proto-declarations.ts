// Reads the package and imports of a .proto file without compiling it.

export interface ImportSite {
  /** The imported file, without the `./` that some tools accept. */
  readonly name: string;
  /** From 1. */
  readonly line: number;
}

export interface ProtoDeclarations {
  /** Empty without a package. */
  readonly protoPackage: string;
  readonly imports: readonly ImportSite[];
}

// Matches comments and strings as a whole, so that their content is not read as statements.
const statement =
  /\/\/.*|\/\*[^]*?\*\/|\bpackage\s+([\w.]+)\s*;|\bimport\s+(?:(?:public|weak|option)\s+)?(?:"([^"\n]+)"|'([^'\n]+)')|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

function withoutDot(name: string): string {
  return name.replace(/^(?:\.\/)+/, "");
}

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

/** Replaces `import "./a.proto"` with the equivalent `import "a.proto"`. Keeps line numbers. */
export function withPlainImports(text: string): string {
  return text.replaceAll(/(\bimport\s+(?:(?:public|weak|option)\s+)?["'])(?:\.\/)+/g, "$1");
}
