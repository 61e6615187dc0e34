// Reads contracts that are not built in. A separate entry, `@roundtrip/contract/foreign`, because a measured process does not need it.
export { descriptorSetFrom } from "./descriptor-set.ts";
export { nestingFault } from "./nesting.ts";
export { withOwnServices } from "./own-services.ts";
export { isServiceConfig, serviceConfigFrom, withHttpRules, type ServiceConfig } from "./service-config.ts";
