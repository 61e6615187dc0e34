// Documentation texts from names and comments of the contract.
import { commentAbove, isCanonicalCode, type CanonicalCode, type ContractElement } from "@roundtrip/contract";

/** `vat_identification_number` as `vatIdentificationNumber`. */
export function camel(...words: readonly string[]): string {
  return words.join("_").replaceAll(/_+([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The comment of an element, with fields spelled as in JSON. */
export function proseAbove(desc: ContractElement): string {
  return commentAbove(desc).replaceAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => camel(name));
}

/** The first sentence of a comment, without its full stop, and the rest. */
export function summaryAndRest(comment: string): { readonly summary: string; readonly rest: string } {
  const text = comment.replaceAll(/(?<!\s)\s*\n(?!\n)\s*/g, " ");
  const end = /\.(?=\s|$)/.exec(text)?.index ?? text.length;
  return { summary: text.slice(0, end).trim(), rest: text.slice(end + 1).trim() };
}

const exampleInProse = /,? for example (?:"([^"]+)"|(-?\d+(?:\.\d+)?)\b)/i;

/** The value in `for example "…"` or `for example 1`; undefined if the comment has none. */
export function exampleIn(comment: string): string | undefined {
  const [, text, number] = exampleInProse.exec(comment) ?? [];
  return text ?? number;
}

export function withoutExample(comment: string): string {
  return comment.replace(exampleInProse, "");
}

/** A failure that a comment documents: `NOT_FOUND when there is no such book.` */
export interface DocumentedFailure {
  readonly code: CanonicalCode;
  /** For example `there is no such book`. */
  readonly when: string;
}

// Both bounds keep the search linear in comments of any length.
const failureInProse = /(?<!\s)\s*\b([A-Z_]+) when ([^.]{1,2000})\./g;

export function failuresIn(comment: string): readonly DocumentedFailure[] {
  return [...comment.matchAll(failureInProse)].flatMap(([, code, when = ""]) =>
    isCanonicalCode(code) ? [{ code, when: when.replaceAll(/\s+/g, " ") }] : [],
  );
}

export function withoutFailures(comment: string): string {
  return comment
    .replaceAll(failureInProse, (sentence: string, code: string) => (isCanonicalCode(code) ? "" : sentence))
    .trim();
}

/** The singular of a word: `books` → `book`, `entries` → `entry`, `shelves` → `shelf`. */
export function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.endsWith("lves")) return `${word.slice(0, -3)}f`;
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

/** The title and version of a package such as `roundtrip.v1`. */
export function titleAndVersion(packageName: string): { readonly title: string; readonly version: string } {
  const words = packageName.split(".");
  const version = /^v\d+\w*$/.test(words.at(-1) ?? "") ? (words.pop() as string) : "v1";
  const title = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(" ");
  return { title: `${title} API`, version };
}
