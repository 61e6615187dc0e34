// `@roundtrip/stacks/names`, for help and shell completion: loads no stack and no contract.
export { allStacks, defaultStyleNames, stackNames } from "./known-stacks.ts";
export { serveDefaults } from "./basics/stack.ts";
