// Keys of resources that the service names: `book-7`, `shelves/shelf-2/books/book-7`.
import type { Resource } from "./resource.ts";

/** The number of initial resources, so that lists have more than a page. */
export const seededAtTheTop = 120;
export const seededBelowEach = 30;

/** The maximum number of messages in each: all initial resources are made at once. */
export const messagesInSeeded = 6;

/** A key as text, or its last part if there are several. */
export function numberedText({ pattern, singular }: Resource, parent: string, number: number): string {
  const id = `${singular.replaceAll("_", "-")}-${number}`;
  if (pattern === undefined) return id;
  return [parent, pattern.at(-2) ?? "", id].filter((segment) => segment !== "").join("/");
}
