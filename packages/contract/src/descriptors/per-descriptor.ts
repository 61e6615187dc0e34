// Computes something once for each descriptor, and forgets it with the descriptor.

/** Caches a function of descriptors. */
export function perDescriptor<D extends object, T>(compute: (desc: D) => T): (desc: D) => T {
  const known = new WeakMap<D, { readonly value: T }>();
  return (desc) => {
    let found = known.get(desc);
    if (found === undefined) known.set(desc, (found = { value: compute(desc) }));
    return found.value;
  };
}
