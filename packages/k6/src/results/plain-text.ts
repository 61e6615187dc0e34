// Text from a file of results, made safe to print: the file may contain anything.

/** Texts in results are short. */
const mostShown = 60;

/** Its first characters, with a question mark for each character that is not printable ASCII, because terminals interpret some of them. */
export function plainText(text: string): string {
  return text.slice(0, mostShown).replaceAll(/[^\u0020-\u007E]/g, "?");
}
