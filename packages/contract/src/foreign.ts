// What it takes to read somebody else's contract. It has an entry of its own, `@roundtrip/contract/foreign`: a measured process has no use for it.
export { descriptorSetFrom } from "./descriptor-set.ts";
export { nestingFault } from "./nesting.ts";
export { withOwnServices } from "./own-services.ts";
export { isServiceConfig, serviceConfigFrom, withHttpRules, type ServiceConfig } from "./service-config.ts";
