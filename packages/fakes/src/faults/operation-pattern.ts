// Matches operation ids with patterns, where `*` stands for any part of an id.

/** Whether an operation's id matches the pattern. */
export function matchesOperation(pattern: string, id: string): boolean {
  const [begin = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return pattern === id;
  if (!id.startsWith(begin)) return false;
  // Parts between two stars are searched from left to right: the first match leaves the most for the next.
  let at = begin.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return id.length - end.length >= at && id.endsWith(end);
}
