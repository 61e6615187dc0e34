// What help and shell completion need of stacks: `@roundtrip/stacks/names` loads no stack and no contract.
export { allStacks, stackNames } from "./known-stacks.ts";
export { serveDefaults } from "./basics/stack.ts";
