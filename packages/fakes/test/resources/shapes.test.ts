// Resources in forms that follow no guide: response wrappers, flat requests, keys of several parts.
import { findResources } from "@roundtrip/contract/resources";
import { describe, expect, it } from "vitest";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { ResourceModel } from "../../src/resources/resource-model.ts";
import { contract, failing, list, session } from "./library.ts";

describe("a resource with its own answers", () => {
  it("is created from a flat request and returned in its wrapper", async () => {
    const call = session();
    const created = await call("CreateOrder", { customerName: "Ada", totalCents: "1999", status: "open" });
    expect(created).toEqual({ orderId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, success: true });
    const orderId = created["orderId"] as string;
    const { order } = await call("GetOrder", { orderId });
    expect(order).toMatchObject({ orderId, customerName: "Ada", totalCents: "1999", status: "open", version: "1" });
    const updated = await call("UpdateOrder", { orderId, status: "paid", version: "1" });
    expect(updated).toMatchObject({ order: { orderId, customerName: "Ada", status: "paid", version: "2" } });
    expect(updated["note"]).toMatch(/./);
    await expect(call("UpdateOrder", { orderId, status: "lost", version: "1" })).rejects.toThrow(failing("ABORTED"));
    const listed = await call("ListOrders", { status: "paid", query: "ada" });
    expect(listed).toMatchObject({ orders: [{ orderId }], totalCount: "1" });
    expect(await call("DeleteOrder", { orderId })).toEqual({});
    await expect(call("GetOrder", { orderId })).rejects.toThrow(
      failing("NOT_FOUND", { metadata: { order_id: orderId } }),
    );
  });

  it("accepts masks that start at the wrapper or at the resource", async () => {
    const call = session();
    const [order] = list((await call("ListOrders", { limit: 1 }))["orders"]);
    const orderId = order?.["orderId"] as string;
    const status = order?.["status"] as string;
    expect(await call("GetOrder", { orderId, readMask: "status" })).toEqual({ order: { status } });
    expect(await call("GetOrder", { orderId, readMask: "order.status" })).toEqual({ order: { status } });
    expect(await call("GetOrder", { orderId, readMask: "order" })).toEqual({ order });
    await expect(call("GetOrder", { orderId: "none", readMask: "colour" })).rejects.toThrow(
      failing("INVALID_ARGUMENT"),
    );
    const page = await call("ListBooks", { parent: "shelves/shelf-1", pageSize: 2, readMask: "books" });
    expect(Object.keys(page)).toEqual(["books"]);
    expect(await call("GetForecast", { city: "Ghent", readMask: "city" })).toEqual({ city: "Ghent" });
  });

  it("has keys that obey the contract's rules, and cursors", async () => {
    const call = session();
    const first = await call("ListOrders", { limit: 2 });
    expect(first).toMatchObject({ hasMore: true, totalCount: "120" });
    const second = await call("ListOrders", { limit: 2, cursor: first["nextCursor"] as string });
    const ids = [...list(first["orders"]), ...list(second["orders"])].map(({ orderId }) => orderId);
    expect(new Set(ids).size).toBe(4);
    await expect(call("GetOrder", { orderId: ids[3] as string })).resolves.toMatchObject({
      order: { orderId: ids[3] },
    });
  });

  it("can have a parent field called name, and be replaced by PUT with the name inside", async () => {
    const call = session();
    expect(list((await call("ListBoxes", { name: "halls/a" }))["boxes"])).toHaveLength(30);
    const { name } = await call("CreateBox", { name: "halls/a", box: { content: "letters", colour: "red" } });
    expect(name).toMatch(/^halls\/a\/boxes\/box-\d+$/);
    expect(await call("UpdateBox", { box: { name: name as string, content: "maps" } })).toEqual({
      name,
      content: "maps",
    });
    expect(await call("GetBox", { name: name as string })).toEqual({ name, content: "maps" });
    expect(list((await call("ListBoxes", { name: "halls/a" }))["boxes"])).toHaveLength(31);
    await call("Seal", { name: name as string });
    expect(await call("GetBox", { name: name as string })).toEqual({ name, content: "maps", state: "SEALED" });
  });

  it("can have a parent and a key of two parts", async () => {
    const call = session();
    const [order] = list((await call("ListOrders", { limit: 1 }))["orders"]);
    const orderId = order?.["orderId"] as string;
    const lines = list((await call("ListLines", { orderId }))["lines"]);
    expect(lines.map(({ lineId }) => lineId)).toEqual(Array.from({ length: 30 }, (_, at) => String(at + 1)));
    const added = await call("AddLine", { orderId, product: "Tea", quantity: 2 });
    expect(added).toEqual({ lineId: "31", product: "Tea", quantity: 2 });
    expect(await call("GetLine", { orderId, lineId: "31" })).toEqual(added);
    await call("RemoveLine", { orderId, lineId: "31" });
    await expect(call("GetLine", { orderId, lineId: "31" })).rejects.toThrow(failing("NOT_FOUND"));
    await call("DeleteOrder", { orderId });
    await expect(call("ListLines", { orderId })).rejects.toThrow(failing("NOT_FOUND", { reason: "ORDER_NOT_FOUND" }));
  });
});

it("is listed below a parent that no call has named before", async () => {
  const call = session();
  const seats = list((await call("ListSeats", { limit: 2, offset: 1 }))["seats"]);
  expect(seats).toMatchObject([
    { row: "row-1", number: 2 },
    { row: "row-1", number: 3 },
  ]);
  for (const seat of seats)
    expect(await call("GetSeat", { row: seat["row"] as string, number: seat["number"] as number })).toEqual(seat);
  expect(list((await call("ListBoxes", { name: "halls/-", pageSize: 3 }))["boxes"])).toHaveLength(3);
});

it("is not detected for types that are only ever read", async () => {
  const call = session();
  const forecast = await call("GetForecast", { city: "Ghent" });
  expect(forecast).toMatchObject({ city: "Ghent", summary: expect.stringMatching(/./) as string });
  // Made-up references name existing resources.
  expect(await call("GetShelf", { name: forecast["shelf"] as string })).toHaveProperty("theme");
});

it("has kinds of children that are found once, as each deletion below it asks for them", () => {
  const model = new ResourceModel(contract, new AnswerMaker(contract, 1), findResources(contract));
  const found = model.resources.map((resource) => model.childrenOf(resource));
  expect(found.map((children) => children.map(({ message }) => message.name))).toEqual([
    ["Book"],
    [],
    ["Line"],
    [],
    [],
    [],
  ]);
  for (const [at, resource] of model.resources.entries()) expect(model.childrenOf(resource)).toBe(found[at]);
});
