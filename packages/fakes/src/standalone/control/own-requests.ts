// Lets nobody in but programs of this machine and the control server's own page. A browser sends what a stranger's page wants, too: with that
// page's origin, or under a name of the stranger's that now leads to this machine (DNS rebinding).
import { isLoopbackHost } from "@roundtrip/stacks/parts";
import type { IncomingMessage } from "node:http";

/** Why a request is refused; undefined for one that may pass. */
export function strangerFault({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const { host = "", origin } = headers;
  const url = URL.parse(`http://${host}`);
  if (url === null || !isLoopbackHost(url.hostname))
    return "this server is reached by the names of this machine alone, such as localhost";
  if (origin !== undefined && origin !== url.origin) return "no page of another origin may use this server";
  const site = headers["sec-fetch-site"];
  // A link from elsewhere may open the page: that shows it to its user, and says nothing to who made the link.
  const isOpened = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  if (site === undefined || site === "same-origin" || site === "none" || isOpened) return undefined;
  return "no page of another origin may use this server";
}
