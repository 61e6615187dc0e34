// A turn for each: work that is to run alone, begun in the order in which it was asked for.

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs what it is given one after the other, whether it fails or not. */
export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
