// Makes texts that match a regular expression by walking through it. The expression is in RE2's syntax, as in buf.validate.
import type * as Re2 from "@bufbuild/re2";
import type { AST, RegExpParser } from "@eslint-community/regexpp";
import { plainPattern } from "@roundtrip/contract/service";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Draw } from "../draw.ts";
import { maxTextCharacters, tooMuch } from "../limits.ts";

// Libraries are loaded with the first pattern; RE2 as the module that the validation library imports: `require` of its name is another one.
const require = createRequire(import.meta.url);

/** A pattern in JavaScript's syntax. */
export interface TextPattern {
  readonly matches: (text: string) => boolean;
  /** False for a pattern that no rule can check, and that no text matches. */
  readonly isChecked: boolean;
  /**
   * A text that matches the pattern, if its assertions allow. Unbounded parts repeat up to `spread` times more than their minimum. Throws
   * RESOURCE_EXHAUSTED for a pattern of longer texts than are made up.
   */
  readonly make: (draw: Draw, spread: number) => string;
}

const posix: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "A-Za-z0-9",
  upper: "A-Z",
  lower: "a-z",
  word: "\\w",
  space: "\\s",
  xdigit: "0-9A-Fa-f",
  punct: "!-\\/:-@\\[-`{-~",
};

/** RE2 syntax that JavaScript writes differently. */
function translated(pattern: string): { readonly source: string; readonly flags: string } {
  const [, declared = ""] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = pattern
    .replace(/^\(\?[ims]+\)/, "")
    .replaceAll("(?P<", "(?<")
    .replaceAll(String.raw`\A`, "^")
    .replaceAll(String.raw`\z`, "$")
    .replaceAll(/\\([pP])([A-Z])/g, String.raw`\$1{$2}`)
    // Names that are longer than those of categories are scripts.
    .replaceAll(/\\([pP])\{(\^?)([A-Z]\w{2,})\}/g, String.raw`\$1{$2Script=$3}`)
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => posix[name] ?? whole);
  return { source, flags: declared };
}

const printable = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at));
const letters = printable.filter((letter) => /[A-Za-z0-9]/.test(letter));

/** Example characters of a class or an escape: letters and digits if it contains some. */
function alphabetOf({ raw }: { readonly raw: string }, flags: string): readonly string[] {
  const single = new RegExp(`^(?:${raw})$`, flags);
  for (const among of [letters, printable]) {
    const fit = among.filter((character) => single.test(character));
    if (fit.length > 0) return fit;
  }
  const beyond = Array.from({ length: 0x30_00 }, (_, at) => String.fromCodePoint(at));
  const fit = beyond.filter((character) => single.test(character));
  return fit.length > 0 ? fit : [""];
}

/** The text so far, as the number of elements of the pattern in it: quantifiers inside each other multiply. */
interface Walk {
  readonly draw: Draw;
  readonly spread: number;
  elements: number;
}

type Make = (walk: Walk) => string;

function inTurn(makers: readonly Make[]): Make {
  return (walk) => makers.map((make) => make(walk)).join("");
}

function oneOf(alternatives: readonly AST.Alternative[], flags: string): Make {
  const makers = alternatives.map(({ elements }) => inTurn(elements.map((element) => makerOf(element, flags))));
  return (walk) => walk.draw.pick(makers)(walk);
}

function repeated({ element, min, max }: AST.Quantifier, flags: string): Make {
  const make = makerOf(element, flags);
  return (walk) => {
    const { draw, spread } = walk;
    // Optional parts are included: they make the text more informative.
    const least = Math.max(min, max > 0 && spread > 0 ? 1 : 0);
    const count = draw.int(least, Math.max(least, Math.min(max, min + spread)));
    let text = "";
    for (let at = 0; at < count; at++) {
      if (++walk.elements > maxTextCharacters)
        throw tooMuch(`a pattern demands more than ${maxTextCharacters} characters`);
      text += make(walk);
    }
    return text;
  };
}

function makerOf(element: AST.Element, flags: string): Make {
  switch (element.type) {
    case "Character": {
      const text = String.fromCodePoint(element.value);
      return () => text;
    }
    case "CharacterClass":
    case "CharacterSet":
    case "ExpressionCharacterClass": {
      const alphabet = alphabetOf(element, flags);
      return ({ draw }) => draw.pick(alphabet);
    }
    case "Group":
    case "CapturingGroup":
      return oneOf(element.alternatives, flags);
    case "Quantifier":
      return repeated(element, flags);
    case "Assertion":
    case "Backreference":
      return () => "";
  }
}

/** In linear time, as the rule itself is checked. What RE2 cannot parse, no rule can check: the text made from it is as good as any. */
function matcherOf(pattern: string): Pick<TextPattern, "matches" | "isChecked"> {
  // Such a pattern means the same in JavaScript.
  if (plainPattern.test(pattern)) {
    const same = new RegExp(pattern);
    return { matches: (text) => same.test(text), isChecked: true };
  }
  const { RE2JS } = require(fileURLToPath(import.meta.resolve("@bufbuild/re2"))) as typeof Re2;
  try {
    const engine = new RE2JS(pattern);
    return { matches: (text) => engine.test(text), isChecked: true };
  } catch {
    return { matches: () => false, isChecked: false };
  }
}

/** Undefined for a pattern that cannot be parsed. */
export function textPattern(pattern: string): TextPattern | undefined {
  const { source, flags: declared } = translated(pattern);
  const flags = `${declared}u`;
  try {
    const { RegExpParser: Parser } = require("@eslint-community/regexpp") as {
      readonly RegExpParser: typeof RegExpParser;
    };
    const { alternatives } = new Parser().parsePattern(source, 0, source.length, { unicode: true });
    const make = oneOf(alternatives, flags);
    return {
      ...matcherOf(pattern),
      make: (draw, spread) => make({ draw, spread, elements: 0 }),
    };
  } catch {
    return undefined;
  }
}
