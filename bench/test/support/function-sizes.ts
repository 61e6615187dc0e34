// The size of each function as a parser sees it: its lines and its parameters.
import { parseSync, Visitor, type ArrowFunctionExpression, type Function } from "oxc-parser";

export interface FunctionSize {
  /** The line that the function starts in, from 1. */
  readonly line: number;
  /** From the line with its parameters to the line that ends its body. */
  readonly lines: number;
  readonly parameters: number;
}

/** The sizes of all functions with a body in a TypeScript source, nested ones included. @param path names the file and so its dialect. */
export function functionSizes(path: string, text: string): readonly FunctionSize[] {
  const sizes: FunctionSize[] = [];
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const take = ({ start, end, params }: ArrowFunctionExpression | Function): void => {
    const line = lineAt(start);
    sizes.push({ line, lines: lineAt(end) - line + 1, parameters: params.length });
  };
  new Visitor({ FunctionDeclaration: take, FunctionExpression: take, ArrowFunctionExpression: take }).visit(
    parseSync(path, text).program,
  );
  return sizes;
}
