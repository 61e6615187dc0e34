// Useless work for a processor: a number of turns, not a time, so that it costs more on a slow machine.

let state = 1;

/** One turn is a step of a linear congruential generator (Numerical Recipes), about a nanosecond once it is compiled. */
export function burn(turns: number): void {
  let value = state;
  for (let turn = 0; turn < turns; turn += 1) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
  state = value;
}

const warmTurns = 1_000_000;
const warmCalls = 50;

/** Call this before any measurement: until the loop is compiled, a turn costs tens of nanoseconds. */
export function warmBurn(): void {
  burn(warmTurns);
  for (let call = 0; call < warmCalls; call += 1) burn(warmTurns / warmCalls);
}
