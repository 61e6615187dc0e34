// Finds sites in a source file where a small change alters what it computes. Skips text: types, errors and templates.
import { parseSync, Visitor } from "oxc-parser";

export interface Site {
  /** Offsets of the replaced text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const otherOperator: ReadonlyMap<string, string> = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["===", "!=="],
  ["!==", "==="],
  ["+", "-"],
  ["-", "+"],
  ["*", "/"],
  ["/", "*"],
  ["&&", "||"],
  ["||", "&&"],
]);

const otherMethod: ReadonlyMap<string, string> = new Map([
  ["max", "min"],
  ["min", "max"],
  ["ceil", "floor"],
  ["floor", "ceil"],
  ["every", "some"],
  ["some", "every"],
]);

const isText = ({ type, value }: { readonly type: string; readonly value?: unknown }): boolean =>
  type === "TemplateLiteral" || (type === "Literal" && typeof value === "string");

/** Smaller numbers only absorb rounding errors: a change of a tenth has no visible effect. */
const rounding = 1e-6;
/** Adding one to larger numbers has no visible effect. */
const mostByOne = 100;

function otherNumber(value: number): string {
  return Number.isInteger(value) && value < mostByOne ? String(value + 1) : String(value * 0.9);
}

/** All sites of a file, in the order of its text. @param path determines the language for the parser. */
export function sitesIn(path: string, text: string): readonly Site[] {
  const sites: Site[] = [];
  const skipped: Span[] = [];
  const skip = ({ start, end }: Span): void => void skipped.push({ start, end });
  const replace = ({ start, end }: Span, replacement: string): void => void sites.push({ start, end, replacement });
  const replaceOperator = (operator: string, left: Span, right: Span): void => {
    const other = otherOperator.get(operator);
    const start = text.indexOf(operator, left.end);
    if (other !== undefined && start < right.start) replace({ start, end: start + operator.length }, other);
  };
  new Visitor({
    ThrowStatement: skip,
    TemplateLiteral: skip,
    TSTypeAnnotation: skip,
    TSTypeAliasDeclaration: skip,
    TSInterfaceDeclaration: skip,
    TSTypeParameterInstantiation: skip,
    ImportDeclaration: skip,
    NewExpression: (node) => {
      if (node.callee.type === "Identifier" && node.callee.name.endsWith("Error")) skip(node);
    },
    BinaryExpression: ({ operator, left, right }) => {
      if (!isText(left) && !isText(right)) replaceOperator(operator, left, right);
    },
    LogicalExpression: ({ operator, left, right }) => replaceOperator(operator, left, right),
    UnaryExpression: (node) => {
      if (node.operator === "!") replace({ start: node.start, end: node.start + 1 }, "");
    },
    IfStatement: ({ test }) => replace(test, `!(${text.slice(test.start, test.end)})`),
    ConditionalExpression: ({ test }) => replace(test, `!(${text.slice(test.start, test.end)})`),
    Literal: (node) => {
      if (typeof node.value === "number" && (node.value === 0 || node.value > rounding))
        replace(node, otherNumber(node.value));
      if (typeof node.value === "boolean") replace(node, String(!node.value));
    },
    MemberExpression: ({ property }) => {
      const other = property.type === "Identifier" ? otherMethod.get(property.name) : undefined;
      if (other !== undefined) replace(property, other);
    },
    ExpressionStatement: (node) => {
      const { expression } = node;
      const called = expression.type === "AwaitExpression" ? expression.argument : expression;
      if (called.type === "CallExpression") replace(node, ";");
    },
  }).visit(parseSync(path, text).program);
  return sites
    .filter((site) => !skipped.some(({ start, end }) => site.start >= start && site.end <= end))
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
}

export function changed(text: string, { start, end, replacement }: Site): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
