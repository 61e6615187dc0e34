// The product service, with 5,000 products that never change.
import { create } from "@bufbuild/protobuf";
import { handlersOf, type Handlers } from "@roundtrip/contract";
import { readMask } from "@roundtrip/contract/field-masks";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/product_pb";
import { idBefore, pageSizeFor, pageTokenAfter } from "./paging.ts";
import { drawn, SeededStore } from "./seeded-store.ts";

export const seededProducts = 5_000;

const descriptionLength = 1_000;

const kinds = ["Folding", "Large", "Light", "Plain", "Round", "Small", "Square", "Sturdy"] as const;
const materials = ["bamboo", "copper", "glass", "linen", "oak", "paper", "steel", "wool"] as const;
const things = ["bag", "box", "chair", "clock", "frame", "lamp", "shelf", "table"] as const;

const sentences = [
  "It comes in four colours, and each of them goes with the rest of the series.",
  "The surface is easy to clean with a damp cloth and without any detergent.",
  "All parts can be replaced one by one, and the maker keeps them for ten years.",
  "It is packed in a single box of cardboard that weighs less than a kilogram.",
  "Two people put it together in a quarter of an hour; the tools are included.",
  "The makers have built it by hand in the same small workshop since 1954.",
  "It stands outdoors all year, as long as it is covered when it freezes.",
  "Customers say that it is quieter and lighter than the one that it replaced.",
  "The edges are rounded, so that it can also be used in a children's room.",
  "A label below tells the number of the batch and the day of the last check.",
] as const;

function pick(words: readonly string[], text: string): string {
  return words[drawn(text, words.length)] ?? "";
}

function descriptionOf(id: number): string {
  let text = pick(sentences, `sentence 0 of ${id}`);
  for (let at = 1; text.length < descriptionLength; at += 1) text += ` ${pick(sentences, `sentence ${at} of ${id}`)}`;
  return text;
}

/** The price of a product, in cents. */
export function priceOf(id: number): number {
  return 99 + drawn(`price of ${id}`, 20_000);
}

function seedProduct(id: number): Readonly<pb.Product> {
  const words = [pick(kinds, `kind of ${id}`), pick(materials, `material of ${id}`), pick(things, `thing of ${id}`)];
  const name = `${words.join(" ")} ${id}`;
  return create(pb.ProductSchema, { id, name, price: priceOf(id), description: descriptionOf(id) });
}

export type ProductStore = SeededStore<Readonly<pb.Product>>;

export function productStore(): ProductStore {
  return new SeededStore("product", seededProducts, seedProduct);
}

export function productHandlers(store: ProductStore): Handlers {
  const schema = pb.ListProductsResponseSchema;
  const pageAfter = (before: number, pageSize: number): pb.ListProductsResponse => {
    const last = Math.min(before + pageSizeFor(pageSize), store.count);
    const ids = Array.from({ length: Math.max(0, last - before) }, (_, at) => before + 1 + at);
    const nextPageToken = last < store.count ? pageTokenAfter(last) : "";
    return create(schema, { products: store.batch(ids), nextPageToken });
  };
  return handlersOf(pb.ProductService, {
    getProduct({ id, readMask: mask }) {
      const read = readMask(pb.ProductSchema, mask);
      return read(store.get(id));
    },
    listProducts({ pageSize, pageToken, readMask: mask }) {
      const read = readMask(schema, mask);
      return read(pageAfter(idBefore(pageToken), pageSize));
    },
    // oxlint-disable-next-line require-await
    async *streamProducts({ pageSize, pageToken, readMask: mask }) {
      const read = readMask(schema, mask);
      const batch = pageSizeFor(pageSize);
      for (let before = idBefore(pageToken); before < store.count; before += batch)
        yield read(pageAfter(before, batch));
    },
    batchGetProducts({ ids, readMask: mask }) {
      const read = readMask(pb.BatchGetProductsResponseSchema, mask);
      return read(create(pb.BatchGetProductsResponseSchema, { products: store.batch(ids) }));
    },
  });
}
