// For other packages of this project that read files about a contract, make requests up, or run a fake in idle time: `@roundtrip/fakes/parts`.
export { exampleRequests } from "./examples/example-requests.ts";
export { pathExample, type PathExample } from "./basics/names.ts";
export { type LocatedDocument, parseDocuments, readDocuments } from "./files/located-documents.ts";
export { expected, jsonText } from "./files/checked.ts";
export { FieldMasking } from "./basics/masked-copy.ts";
export { isNamedSecret, isPagePosition, isRedacted } from "./basics/redacted.ts";
export { warmUp } from "./standalone/warm-up.ts";
export { readWholeMessage } from "./stubs/read-message.ts";
