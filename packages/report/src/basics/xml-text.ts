// Text as XML may hold it.

/** Text for an element or a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Without what no XML document may hold: controls and lone surrogates are not allowed in it, however they are written. */
export function legalXml(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t\n]|\p{Cs}/gu, "\uFFFD");
}
