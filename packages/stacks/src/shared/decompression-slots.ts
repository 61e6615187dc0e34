// Limits how many requests a process decompresses at once. Each can become a thousand times as large, and all that are begun grow together.

/** Node.js has four threads for them. */
export const decompressedAtOnce = 4;

const waiting: (() => void)[] = [];
let decompressing = 0;

/** Calls back, at once or later, when a request may be decompressed. Call {@link giveSlotBack} afterwards. */
export function takeSlot(begin: () => void): void {
  if (decompressing === decompressedAtOnce) waiting.push(begin);
  else {
    decompressing += 1;
    begin();
  }
}

export function giveSlotBack(): void {
  const next = waiting.shift();
  if (next === undefined) decompressing -= 1;
  else next();
}
