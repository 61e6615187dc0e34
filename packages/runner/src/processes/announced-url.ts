// Finds the address that a server prints when it listens, in any language and format.

/** A URL in text: up to a blank, a quotation mark or a bracket. */
const urlPattern = /\bhttps?:\/\/[^\s"'`<>()\]},;]+(?:\][^\s"'`<>()\]},;]*)?/gi;

/** The address for reaching a server that listens on all interfaces. */
const reachedAt: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };

/** Addresses of this machine; a greeting may also contain links to documentation. */
const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The URL as it is reached from this machine; undefined for a URL of another machine, or if there is none. */
function reached(text: unknown): string | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const there = reachedAt[url.hostname];
  if (there !== undefined) url.hostname = there;
  if (!isHere.test(url.hostname)) return undefined;
  // Keeps a path only if it was written.
  return url.pathname === "/" && url.search === "" && !text.endsWith("/") ? url.origin : url.href;
}

function memberOf(line: string, stack: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const members = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
    return reached(members[stack]) ?? reached(members["url"]);
  } catch {
    return undefined;
  }
}

/** The first URL of this machine in a line: a member of a JSON object, named after the stack or `url`, or anywhere in text. */
export function announcedUrl(line: string, stack: string): string | undefined {
  const announced = line.trimStart().startsWith("{") ? memberOf(line, stack) : undefined;
  if (announced !== undefined) return announced;
  const inText = [...line.matchAll(urlPattern)].map(([url]) => reached(url.replace(/[.:]+$/, "")));
  return inText.find((url) => url !== undefined);
}
