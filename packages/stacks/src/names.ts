// What help and shell completion say of stacks: `@roundtrip/stacks/names` loads no stack and no contract.
export { stackNames } from "./known-stacks.ts";
export { serveDefaults } from "./stack.ts";
