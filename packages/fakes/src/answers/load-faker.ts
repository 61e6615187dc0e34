// Loads the library of names, addresses and sentences when somebody first needs one: a fake of numbers alone never does.
import type { Faker, Randomizer } from "@faker-js/faker";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/**
 * The library, drawing from this. One locale and no other: all of them together would take as long to load as everything else. Its own
 * generator takes a hundred microseconds to seed, which is what a whole answer may take.
 */
export function loadFaker(randomizer: Randomizer): Faker {
  const path = fileURLToPath(import.meta.resolve("@faker-js/faker/locale/en"));
  const { faker } = require(path) as { readonly faker: Faker };
  // The class has no entry of its own that would leave the other locales out.
  const Class = faker.constructor as typeof Faker;
  return new Class({ locale: faker.rawDefinitions, randomizer });
}
