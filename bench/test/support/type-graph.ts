// Contracts of a given graph of message types, made without a compiler: what walks types has to end soon on each.
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type FieldDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MethodOptions_IdempotencyLevel as Level,
} from "@bufbuild/protobuf/wkt";
import { contractFromImage, type Contract } from "@roundtrip/contract";

/** By type, the types of its fields. */
export type TypeGraph = readonly (readonly number[])[];

export interface GraphOptions {
  /** Whether proto2 requires all fields with messages. */
  readonly areRequired?: boolean;
  /** The name of the text field of each type. */
  readonly text?: string;
}

type FieldInit = MessageInitShape<typeof FieldDescriptorProtoSchema>;

/** A contract with an operation that reads the first type, and one that writes it. The types are `M0`, `M1`, … with a text and fields `f0`, `f1`, …. */
export function contractOfGraph(
  graph: TypeGraph,
  { areRequired = false, text = "value" }: GraphOptions = {},
): Contract {
  const messageType = graph.map((inside, index) => ({
    name: `M${index}`,
    field: [
      { name: text, jsonName: text, number: 1, label: Label.OPTIONAL, type: Type.STRING },
      ...inside.map((type, slot): FieldInit => ({
        name: `f${slot}`,
        jsonName: `f${slot}`,
        number: slot + 2,
        label: areRequired ? Label.REQUIRED : Label.OPTIONAL,
        type: Type.MESSAGE,
        typeName: `.graph.v1.M${type}`,
      })),
    ],
  }));
  const types = { inputType: ".graph.v1.M0", outputType: ".graph.v1.M0" };
  const method = [
    { name: "Look", ...types, options: { idempotencyLevel: Level.NO_SIDE_EFFECTS } },
    { name: "Keep", ...types },
  ];
  const file = {
    name: "graph.proto",
    package: "graph.v1",
    syntax: areRequired ? "proto2" : "proto3",
    messageType,
    service: [{ name: "Graph", method }],
  };
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] })));
}

const upTo = (size: number): readonly number[] => Array.from({ length: size }, (_, index) => index);

/** Each type contains the next, and the last one the first. */
export function ring(size: number): TypeGraph {
  return upTo(size).map((index) => [(index + 1) % size]);
}

/** Each type contains all. */
export function clique(size: number): TypeGraph {
  return upTo(size).map(() => upTo(size));
}

/** Layers of a few types, each of which contains all of the next layer: the number of paths is exponential, and no type contains itself. */
export function layers(count: number, width: number): TypeGraph {
  return upTo(count * width).map((index) => {
    const next = (Math.floor(index / width) + 1) * width;
    return next >= count * width ? [] : upTo(width).map((slot) => next + slot);
  });
}

/** Pairs that contain each other, each also the next pair: as many cycles as a message may be deep. */
export function chainOfCycles(count: number): TypeGraph {
  return upTo(2 * count).map((index) => {
    if (index % 2 === 0) return [index + 1];
    return index + 1 < 2 * count ? [index - 1, index + 1] : [index - 1];
  });
}
