// A read mask as a tree of field names.
import type { Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";

export type MaskTree = ReadonlyMap<string, MaskTree | "all">;

type Growing = Map<string, Growing | "all">;

/** The paths of a request's read mask; empty without a mask. */
export function pathsAsked({ readMask }: Operation, request: Message): readonly string[] {
  if (readMask === undefined) return [];
  const mask = (request as unknown as Record<string, { readonly paths: readonly string[] } | undefined>)[
    readMask.localName
  ];
  return mask?.paths ?? [];
}

/** No path, or `*` alone, selects all. A path selects everything in its last field, whatever other paths select there. */
export function maskTree(paths: readonly string[]): MaskTree | "all" {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === "*")) return "all";
  const root: Growing = new Map();
  for (const path of paths) {
    const names = path.split(".");
    let at = root;
    for (const [index, name] of names.entries()) {
      const next = at.get(name);
      if (next === "all") break;
      if (index === names.length - 1) {
        at.set(name, "all");
        break;
      }
      const deeper: Growing = next ?? new Map<string, Growing | "all">();
      at.set(name, deeper);
      at = deeper;
    }
  }
  return root;
}
