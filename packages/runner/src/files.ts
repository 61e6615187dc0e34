// What commands say of files and make folders with: `@roundtrip/runner/files` loads nothing that measures.
export { fileFault } from "./basics/file-fault.ts";
export { cacheFolder, homeFolder } from "./basics/user-folders.ts";
export { makeDirectory } from "./basics/make-directory.ts";
