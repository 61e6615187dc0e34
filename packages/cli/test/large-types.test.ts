// Types of large files: generated in parts, with the code of the whole.
import { create, createFileRegistry, type FileRegistry } from "@bufbuild/protobuf";
import {
  type FileDescriptorProto,
  FieldDescriptorProto_Type as Type,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { builtInContract } from "@roundtrip/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { generateFiles, inParts } from "../src/types/generate-files.ts";
import { type GeneratedFile, isGenerated, runGenerator } from "../src/types/run-generator.ts";

/** A file of messages, each of which contains the next. */
function ringOf(types: number, nameOf = (index: number) => `M${index}`): FileRegistry {
  const file = {
    name: "ring.proto",
    package: "ring.v1",
    syntax: "proto3",
    messageType: Array.from({ length: types }, (_, index) => ({
      name: nameOf(index),
      field: [{ name: "next", number: 1, type: Type.MESSAGE, typeName: `.ring.v1.${nameOf((index + 1) % types)}` }],
    })),
  };
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [file as FileDescriptorProto] }));
}

const protosOf = ({ files }: FileRegistry): readonly FileDescriptorProto[] => [...files].map(({ proto }) => proto);

describe.each(["target=ts,erasable_syntax=true", "target=js+dts"])("parts of files, with %s", (parameter) => {
  const files = protosOf(builtInContract().registry);
  const declared = files.filter(({ name, messageType, enumType }) => {
    return name.endsWith(".proto") && messageType.length + enumType.length > 0;
  });

  const whole: GeneratedFile[] = [];
  beforeAll(async () => {
    // Apart, because others import those of the runtime library from there.
    for (const generated of [declared.filter(isGenerated), declared.filter((file) => !isGenerated(file))])
      whole.push(...(await runGenerator({ files, generated, parameter })));
  });

  it.each(declared.map((file) => [file.name, file] as const))("have the code of %s", async (name, file) => {
    const code = whole.filter((generated) => generated.name.startsWith(name.replace(/\.proto$/, "_pb.")));
    expect(code).toHaveLength(parameter === "target=js+dts" ? 2 : 1);
    expect(await inParts(file, files.slice(0, files.indexOf(file)), parameter, 2)).toEqual(code);
  });
});

it("generates thousands of types in one file", async () => {
  const ring = ringOf(4_000);
  const [{ text } = { text: "" }] = await generateFiles(ring, protosOf(ring), "target=ts");
  expect(text.match(/^export type M\d+ = /gm)).toHaveLength(4_000);
  expect(text).toContain("messageDesc(file_ring, 3999)");
}, 60_000);

it("refuses thousands of types in one file whose names only the generator can tell apart", async () => {
  const ring = ringOf(4_000, (index) => (index === 0 ? "M1Schema" : `M${index}`));
  await expect(generateFiles(ring, protosOf(ring), "target=ts")).rejects.toThrow(
    "types of this contract would take protoc-gen-es about 200 s, more than 20 s, because ring.proto has 4000 types; split the file",
  );
});
