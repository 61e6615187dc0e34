// What resources are called that nobody gave a name: `book-7`, `shelves/shelf-2/books/book-7`.
import type { Resource } from "./resource.ts";

/** How many resources there are from the start, so that lists have more than a page. */
export const seededAtTheTop = 120;
export const seededBelowEach = 30;

/** How many messages each of them holds: there are many, and all are made at once. */
export const messagesInSeeded = 6;

/** The text of a key, or of its last part where there are several. */
export function numberedText({ pattern, singular }: Resource, parent: string, number: number): string {
  const id = `${singular.replaceAll("_", "-")}-${number}`;
  if (pattern === undefined) return id;
  return [parent, pattern.at(-2) ?? "", id].filter((segment) => segment !== "").join("/");
}
