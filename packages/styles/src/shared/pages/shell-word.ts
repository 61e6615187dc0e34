// Words of the shell commands that pages show.

/** One argument of a command, whatever is in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
