// How far this machine's clock is from the servers', as one of them tells it: answers over HTTP have a `Date`, in whole seconds, and when it goes on, the
// server's time is known to about what a call takes.
import { sleep } from "k6";
import http from "k6/http";

const pauseMs = 4;
/** Two answers with less than this between them tell the moment well enough. */
const mostApartMs = 40;
const params = { redirects: 0, timeout: "1s", responseType: "none" };

/**
 * This machine's time of day minus the server's, in milliseconds; undefined where it does not tell it in time.
 * @param address of any page there: what status it has does not matter.
 * @param timeOfDay gives that of this machine, in milliseconds with fractions.
 * @param lastMs when no more is asked.
 */
export function aheadOf(address, timeOfDay, lastMs) {
  const ask = () => {
    const sentMs = timeOfDay();
    const { headers } = http.request("GET", address, null, params);
    return { atMs: (sentMs + timeOfDay()) / 2, toldMs: Date.parse(headers.Date) };
  };
  let before = ask();
  while (!Number.isNaN(before.toldMs) && timeOfDay() < lastMs) {
    sleep(pauseMs / 1000);
    const after = ask();
    const isBoundary = after.toldMs - before.toldMs === 1000 && after.atMs - before.atMs <= mostApartMs;
    if (isBoundary) return (before.atMs + after.atMs) / 2 - after.toldMs;
    before = after;
  }
  return undefined;
}
