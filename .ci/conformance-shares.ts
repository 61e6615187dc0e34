// Which stacks one process tests after the other, while others test the rest.

/** Conformance cases wait for limits more than they compute: several processes keep the processors busy. */
const atOnce = 6;

export function conformanceShares(names: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: atOnce }, (_, share) => names.filter((_name, index) => index % atOnce === share)).filter(
    ({ length }) => length > 0,
  );
}
