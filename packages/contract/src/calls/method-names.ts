// The names of a service's methods in TypeScript. The library changes the case of the first letter, so `Ping` and `ping` would both be `ping`.
import type { DescMethod, DescService } from "@bufbuild/protobuf";

/** A typed client renames a method `then` to this, so it is no other method's name. */
const renamedThen = "then$";

/** A distinct name for each method: the library's, with `$` for the later one of two equal names. */
export function methodNames({ methods }: Pick<DescService, "methods">): ReadonlyMap<DescMethod, string> {
  const names = new Map<DescMethod, string>();
  const taken = new Set<string>();
  for (const method of methods) {
    let name: string = method.localName;
    while (taken.has(name) || (name === renamedThen && method.localName !== renamedThen)) name += "$";
    taken.add(name);
    names.set(method, name);
  }
  return names;
}
