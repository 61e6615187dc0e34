// openapi-typescript's types with openapi-fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";
import { assert, created, env, firstOf, hotelOf, report } from "./report.ts";

const client = createClient<paths>({ baseUrl: env["REST"]! });

await report({
  connects: async () => {
    const { data } = await client.POST("/v1/hotels", { body: hotelOf(env["CLIENT"]!) });
    const [, hotelId = ""] = data?.name?.split("/") ?? [];
    const read = await client.GET("/v1/hotels/{hotelId}", { params: { path: { hotelId } } });
    assert.equal(read.data?.displayName, data?.displayName);
    created(data?.name);
  },
  typed: async () => {
    const { data } = await client.GET("/v1/hotels", { params: { query: { pageSize: 2 } } });
    const counts: (string | undefined)[] = data?.hotels?.map(({ reviewCount }) => reviewCount) ?? [];
    assert.ok(counts.every((count) => count === undefined || /^\d+$/.test(count)) && counts.length > 0);
    const room: components["schemas"]["Room"] = { kind: "ROOM_KIND_SUITE" };
    assert.equal(room.kind, "ROOM_KIND_SUITE");
  },
  errors: async () => {
    const { error } = await client.GET("/v1/hotels/{hotelId}", { params: { path: { hotelId: "none" } } });
    assert.deepEqual([error?.code, error?.reason], ["NOT_FOUND", "HOTEL_NOT_FOUND"]);
    const invalid = await client.POST("/v1/hotels", { body: { ...hotelOf("x"), displayName: "" } });
    assert.match(invalid.error?.violations?.[0]?.field ?? "", /^hotel\./);
  },
  streams: async () => {
    const [, guestId = "", , reservationId = ""] = env["RESERVATION"]!.split("/");
    const path = { guestId, reservationId };
    const { data } = await client.GET("/v1/guests/{guestId}/reservations/{reservationId}:watch", {
      params: { path },
      parseAs: "stream",
    });
    await firstOf(data!, "eventTime");
  },
});
