// Finds how far this machine's clock is ahead of a server's, from the `Date` headers of its answers, in whole seconds. Each answer gives a lower and an upper
// bound; those just before and just after a full second give narrow ones.
import { sleep } from "k6";
import http from "k6/http";

const pauseMs = 4;
/** The precision to reach, and the worst precision that counts as known. */
const goodMs = 10;
const mostMs = 100;
const params = { redirects: 0, timeout: "1s", responseType: "none" };

/**
 * This machine's time of day minus the server's, in milliseconds; undefined if the server does not send it.
 * @param address any URL of the server; its status does not matter.
 * @param timeOfDay gives this machine's, in milliseconds with fractions.
 * @param lastMs when to stop.
 */
export function aheadOf(address, timeOfDay, lastMs) {
  let least = -Infinity;
  let most = Infinity;
  do {
    const sentMs = timeOfDay();
    const { headers } = http.request("GET", address, null, params);
    const serverMs = Date.parse(headers.Date);
    if (Number.isNaN(serverMs)) return undefined;
    // The server's time was within this second at some moment between these two.
    least = Math.max(least, sentMs - serverMs - 1000);
    most = Math.min(most, timeOfDay() - serverMs);
    sleep(pauseMs / 1000);
  } while (most - least > goodMs && timeOfDay() < lastMs);
  return most - least > mostMs ? undefined : (least + most) / 2;
}
