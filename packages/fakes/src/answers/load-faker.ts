// Loads the library of names, addresses and sentences when somebody first needs one: a fake of numbers alone never does.
import type { Faker } from "@faker-js/faker";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

let loaded: Faker | undefined;

/** One locale and no other: all of them together would take as long to load as everything else. */
export function loadFaker(): Faker {
  if (loaded === undefined) {
    const path = fileURLToPath(import.meta.resolve("@faker-js/faker/locale/en"));
    loaded = (require(path) as { readonly faker: Faker }).faker;
  }
  return loaded;
}
