// The comments of a contract, found by what they stand above: they become the descriptions of every generated document.
import type { DescFile } from "@bufbuild/protobuf";
import { fileOf, pathOf, type Placed } from "./place-in-source.ts";

/** What a comment can stand above. */
export type Described = Placed;

const byFile = new WeakMap<DescFile, ReadonlyMap<string, string>>();

function commentsOf(file: DescFile): ReadonlyMap<string, string> {
  const known = byFile.get(file);
  if (known !== undefined) return known;
  const comments = new Map<string, string>();
  for (const { path, leadingComments } of file.proto.sourceCodeInfo?.location ?? []) {
    if (leadingComments !== "") comments.set(path.join("."), leadingComments.replaceAll(/^ /gm, "").trim());
  }
  byFile.set(file, comments);
  return comments;
}

/** The comment above an element, without comment marks; empty without one, or when the image was built without source info. */
export function commentAbove(desc: Described): string {
  return commentsOf(fileOf(desc)).get(pathOf(desc).join(".")) ?? "";
}
