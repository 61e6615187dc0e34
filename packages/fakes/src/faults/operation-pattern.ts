// Which operations a rule is about: an id, or a pattern with `*` for any part of one.

/** Whether an operation's id is what the pattern says. */
export function matchesOperation(pattern: string, id: string): boolean {
  const [begin = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return pattern === id;
  if (!id.startsWith(begin)) return false;
  // What is between two stars is looked for from left to right: the first place leaves most for the next.
  let at = begin.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return id.length - end.length >= at && id.endsWith(end);
}
