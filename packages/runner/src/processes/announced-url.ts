// The address in what a server prints when it listens: servers of any language say it in words of their own.

/** As they stand in texts: up to a blank, a quotation mark or a bracket. */
const urlPattern = /\bhttps?:\/\/[^\s"'`<>()\]},;]+(?:\][^\s"'`<>()\]},;]*)?/gi;

/** What a server that listens everywhere is reached at from this machine. */
const reachedAt: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };

/** This machine itself: other addresses in a greeting are those of documentation. */
const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The URL as it is reached from this machine; undefined for a URL of another machine, or if there is none. */
function reached(text: unknown): string | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const there = reachedAt[url.hostname];
  if (there !== undefined) url.hostname = there;
  if (!isHere.test(url.hostname)) return undefined;
  // Only a path that was written is one.
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

/** The first URL of this machine in a line: a member of a JSON object, under the stack's name or `url`, or anywhere in a text. */
export function announcedUrl(line: string, stack: string): string | undefined {
  const announced = line.trimStart().startsWith("{") ? memberOf(line, stack) : undefined;
  if (announced !== undefined) return announced;
  const inText = [...line.matchAll(urlPattern)].map(([url]) => reached(url.replace(/[.:]+$/, "")));
  return inText.find((url) => url !== undefined);
}
