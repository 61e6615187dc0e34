// A service's own modules become part of its server's bundle, so that the errors it throws are the server's; what it brings along stays
// where it is, because a library may look for files beside itself, start threads or load what was compiled for this machine.
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";
import type { Plugin } from "rolldown";
import { fileOf } from "./in-its-place.ts";

/** Of these there must be one in a process: messages and errors are known by them. */
const sharedPackages = /^@(?:roundtrip\/(?:contract|stacks|runner)|bufbuild\/protobuf)(?:\/|$)/;
const isPackage = /^(?![./]|[a-z]:[\\/]|file:|data:|#)/i;
// What is computed cannot be followed: it would find the modules of the bundle a second time.
const computedLoad = /\b(?:import|require)\s*\(\s*(?!["'])|\bcreateRequire\b|\bimport\.meta\.resolve\(\s*(?!["'])/;

function buildsOnUs(file: string): boolean {
  const manifest = findPackageJSON(pathToFileURL(file));
  return manifest !== undefined && readFileSync(manifest, "utf8").includes('"@roundtrip/');
}

/** Follows the modules of a service. Bundling rejects where one of them loads what only it knows. */
export function serviceModules(service: string): Plugin {
  const own = new Set([fileOf(service)]);
  return {
    name: "service-modules",
    resolveId: {
      order: "pre",
      async handler(specifier, importer, extra) {
        if (importer === undefined || !own.has(importer)) return null;
        const resolved = await this.resolve(specifier, importer, { ...extra, skipSelf: true });
        if (resolved === null || resolved.external !== false || sharedPackages.test(specifier)) return resolved;
        if (isPackage.test(specifier) && !buildsOnUs(resolved.id)) return { id: resolved.id, external: "absolute" };
        own.add(resolved.id);
        return resolved;
      },
    },
    transform(code, id) {
      if (own.has(id) && computedLoad.test(code)) throw new Error(`${id} loads modules by names that it computes`);
      return null;
    },
  };
}
