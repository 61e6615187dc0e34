// The command line, as records and reports show it.

const url = /([a-z][a-z\d+.-]*:\/\/)(?:[^\s/?#]*@)?([^\s?#,"']*)(?:[?#][^\s,"']*)?/gi;

/** The command without what addresses may have of secrets: user name, password, query and fragment. */
export function typedCommand(argv: readonly string[]): string {
  const words = argv.slice(2).map((word) => word.replaceAll(url, "$1$2"));
  return `roundtrip ${words.join(" ")}`;
}
