// connect-es in the three protocols that it speaks; the browser's transport runs on fetch, in Node.js and in Chromium.
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import * as web from "@connectrpc/connect-web";
import { CatalogService, RoomKind } from "./gen/booking/v1/catalog_pb.ts";
import { ConciergeService } from "./gen/booking/v1/concierge_pb.ts";
import { ReservationService } from "./gen/booking/v1/reservation_pb.ts";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.ts";
import { assert, created, env, hotelOf, report } from "./report.ts";

const node = () => import("@connectrpc/connect-node");
const transports: Record<string, () => Transport | Promise<Transport>> = {
  "connect-es gRPC": async () => (await node()).createGrpcTransport({ baseUrl: env["GRPC"]! }),
  "connect-es Connect": async () =>
    (await node()).createConnectTransport({ baseUrl: env["CONNECT"]!, httpVersion: "1.1" }),
  "connect-web": () => web.createConnectTransport({ baseUrl: env["CONNECT"]! }),
  "connect-web gRPC-Web": () => web.createGrpcWebTransport({ baseUrl: env["CONNECT"]! }),
};
const transport = await transports[env["CLIENT"]!.replace(" in Chromium", "")]!();
const catalog = createClient(CatalogService, transport);

await report({
  connects: async () => {
    const hotel = await catalog.createHotel({ hotel: hotelOf(env["CLIENT"]!) });
    assert.equal((await catalog.getHotel({ name: hotel.name })).displayName, hotel.displayName);
    created(hotel.name);
  },
  typed: async () => {
    const { rooms } = await catalog.listRooms({ parent: "hotels/hotel-1" });
    const kinds: RoomKind[] = rooms.map(({ kind }) => kind);
    assert.ok(kinds.every((kind) => kind !== RoomKind.UNSPECIFIED));
    const { hotels } = await catalog.listHotels({ pageSize: 2 });
    const counts: bigint[] = hotels.map(({ reviewCount }) => reviewCount);
    assert.ok(counts.length > 0 && counts.every((count) => typeof count === "bigint"));
  },
  errors: async () => {
    const missing = await catalog.getHotel({ name: "hotels/none" }).then(() => undefined, ConnectError.from);
    assert.equal(missing?.code, Code.NotFound);
    assert.equal(missing.findDetails(ErrorInfoSchema)[0]?.reason, "HOTEL_NOT_FOUND");
    const invalid = await catalog.createHotel({ hotel: {} }).then(() => undefined, ConnectError.from);
    assert.match(invalid?.findDetails(BadRequestSchema)[0]?.fieldViolations[0]?.field ?? "", /^hotel\./);
  },
  streams: async () => {
    for await (const event of createClient(ReservationService, transport).watchReservation({
      name: env["RESERVATION"]!,
    })) {
      assert.equal(event.$typeName, "booking.v1.ReservationEvent");
      break;
    }
    if (env["CLIENT"]!.startsWith("connect-web")) return;
    async function* chunks() {
      yield { data: new Uint8Array(3), mimeType: "image/png" };
      yield { data: new Uint8Array(4) };
    }
    const { sizeBytes } = await createClient(ConciergeService, transport).uploadScan(chunks());
    assert.equal(typeof sizeBytes, "bigint");
  },
});
