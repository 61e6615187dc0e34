// Text out of a file of results as it may be shown and kept: the file comes from elsewhere, and may hold anything.

/** What is told in results is short. */
const mostShown = 60;

/** Its beginning, with a question mark for all that is not plain ASCII: terminals obey some of the rest. */
export function plainText(text: string): string {
  return text.slice(0, mostShown).replaceAll(/[^\u0020-\u007E]/g, "?");
}
