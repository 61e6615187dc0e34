// Lets nobody in but programs of this machine and the control server's own page. A browser sends what a stranger's page wants, too: with that
// page's origin, or under a name of the stranger's that now leads to this machine (DNS rebinding).
import type { IncomingMessage } from "node:http";

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Why a request is refused; undefined for one that may pass. */
export function strangerFault({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const { host = "", origin } = headers;
  if (!loopbackHost.test(host)) return "this server is reached by the names of this machine alone, such as localhost";
  if (origin !== undefined && origin !== `http://${host}`) return "no page of another origin may use this server";
  const site = headers["sec-fetch-site"];
  // A link from elsewhere may open the page: that shows it to its user, and says nothing to who made the link.
  const isOpened = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  if (site === undefined || site === "same-origin" || site === "none" || isOpened) return undefined;
  return "no page of another origin may use this server";
}
