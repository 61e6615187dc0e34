// How far this machine's clock is from the servers', as one of them tells it: answers over HTTP have a `Date`, in whole seconds. Each says between which
// two values the difference is; those just before and just after a full second leave little between.
import { sleep } from "k6";
import http from "k6/http";

const pauseMs = 4;
/** As well as that, and no more is asked; worse than that is not known. */
const goodMs = 10;
const mostMs = 100;
const params = { redirects: 0, timeout: "1s", responseType: "none" };

/**
 * This machine's time of day minus the server's, in milliseconds; undefined where the server does not tell it.
 * @param address of any page there: what status it has does not matter.
 * @param timeOfDay gives that of this machine, in milliseconds with fractions.
 * @param lastMs when no more is asked.
 */
export function aheadOf(address, timeOfDay, lastMs) {
  let least = -Infinity;
  let most = Infinity;
  do {
    const sentMs = timeOfDay();
    const { headers } = http.request("GET", address, null, params);
    const toldMs = Date.parse(headers.Date);
    if (Number.isNaN(toldMs)) return undefined;
    // The server's time was within the second that it told, somewhen between these two moments of ours.
    least = Math.max(least, sentMs - toldMs - 1000);
    most = Math.min(most, timeOfDay() - toldMs);
    sleep(pauseMs / 1000);
  } while (most - least > goodMs && timeOfDay() < lastMs);
  return most - least > mostMs ? undefined : (least + most) / 2;
}
