// Text for XML.

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Replaces control characters and lone surrogates, which XML does not allow even when escaped. */
export function legalXml(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t\n]|\p{Cs}/gu, "\uFFFD");
}
