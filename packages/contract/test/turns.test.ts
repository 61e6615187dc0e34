// Turns of the event loop: work that goes on for long does not keep others from theirs.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { nextTurn, ownTurn } from "../src/calls/turns.ts";

/** Takes all of a slice. */
function work(): void {
  const untilMs = performance.now() + 11;
  while (performance.now() < untilMs);
}

function largePiece(): Promise<void> {
  work();
  return nextTurn(4_096) ?? Promise.reject(new Error("time is left"));
}

function largeRequest(): Promise<void> {
  work();
  return ownTurn();
}

const mostTurns = 50;

test.each([
  ["a stream", largePiece, 2],
  ["a large request", largeRequest, 6],
] as const)("%s lets others have their turn", async (_, goOn, most) => {
  let turns = 0;
  const caller = { askedAt: mostTurns, isServed: false };
  await ownTurn();
  // Like what a caller sends, its end comes in another phase of the event loop than turns.
  const served = readFile(import.meta.filename)
    .then(() => (caller.askedAt = turns))
    .then(ownTurn)
    .then(() => (caller.isServed = true));
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (; !caller.isServed && turns < mostTurns; turns += 1) await goOn();
  expect(turns - caller.askedAt).toBeLessThanOrEqual(most);
  await served;
});
