// Digamma and trigamma: the mean and variance of the logarithm of a variance estimate.

/** ψ(x), x > 0: recurrence up to 10, then the asymptotic series (Abramowitz and Stegun 6.3.5, 6.3.18). */
export function digamma(x: number): number {
  let value = 0;
  let at = x;
  for (; at < 10; at += 1) value -= 1 / at;
  const inverse = 1 / (at * at);
  return (
    value +
    Math.log(at) -
    1 / (2 * at) -
    inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse * (1 / 240 - inverse / 132))))
  );
}

/** ψ′(x), x > 0: recurrence up to 10, then the asymptotic series (Abramowitz and Stegun 6.4.6, 6.4.12). */
export function trigamma(x: number): number {
  let value = 0;
  let at = x;
  for (; at < 10; at += 1) value += 1 / (at * at);
  const inverse = 1 / (at * at);
  return (
    value +
    1 / at +
    inverse / 2 +
    (inverse / at) * (1 / 6 - inverse * (1 / 30 - inverse * (1 / 42 - inverse * (1 / 30 - (inverse * 5) / 66))))
  );
}

/** The x whose trigamma is `y` > 0, by Newton's method on 1/ψ′, which is nearly straight and convex: Smyth (2004), appendix. */
export function inverseTrigamma(y: number): number {
  let x = 0.5 + 1 / y;
  for (let step = 0; step < 50; step += 1) {
    const now = trigamma(x);
    // The derivative of trigamma, by a central difference.
    const width = x * 1e-4;
    const slope = (trigamma(x + width) - trigamma(x - width)) / (2 * width);
    const change = (now * (1 - now / y)) / slope;
    x += change;
    if (Math.abs(change) < x * 1e-9) break;
  }
  return x;
}
