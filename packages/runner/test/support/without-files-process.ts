// Watches its starter, has no free file descriptor for a while, and prints what it noticed.
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { onStarterGone } from "../../src/lifetime/starter.ts";

let noticed = "still there";
onStarterGone(() => (noticed = "gone"));
const opened: number[] = [];
let fault: string | undefined;
while (fault === undefined) {
  try {
    opened.push(openSync("/dev/null", "r"));
  } catch (thrown) {
    fault = (thrown as NodeJS.ErrnoException).code;
  }
}
// Longer than two looks.
await sleep(1_500);
for (const descriptor of opened) closeSync(descriptor);
process.stdout.write(`${fault}: ${noticed}\n`);
