// npm's grpc-web, in its format of text. Its plugin of protoc is no npm package, so methods are described with what protoc-gen-es makes.
import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { GrpcWebClientBase, MethodDescriptor, MethodType, type RpcError, StatusCode } from "grpc-web";
import { CatalogService, RoomKind } from "./gen/booking/v1/catalog_pb.ts";
import { ReservationService } from "./gen/booking/v1/reservation_pb.ts";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "./gen/google/rpc/status_pb.ts";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { assert, created, env, hotelOf, report } from "./report.ts";

interface Method<I extends DescMessage, O extends DescMessage> {
  readonly parent: { readonly typeName: string };
  readonly name: string;
  readonly methodKind: string;
  readonly input: I;
  readonly output: O;
}

const client = new GrpcWebClientBase({ format: "text" });

function described<I extends DescMessage, O extends DescMessage>({
  parent,
  name,
  methodKind,
  input,
  output,
}: Method<I, O>) {
  const path = `/${parent.typeName}/${name}`;
  const descriptor = new MethodDescriptor<MessageShape<I>, MessageShape<O>>(
    path,
    methodKind === "unary" ? MethodType.UNARY : MethodType.SERVER_STREAMING,
    Object as never,
    Object as never,
    (request: MessageShape<I>) => toBinary(input, request),
    (bytes: Uint8Array) => fromBinary(output, bytes),
  );
  return { url: `${env["CONNECT"]}${path}`, descriptor };
}

function call<I extends DescMessage, O extends DescMessage>(
  method: Method<I, O>,
  request: Parameters<typeof create<I>>[1],
): Promise<MessageShape<O>> {
  const { url, descriptor } = described(method);
  return client.unaryCall(url, create(method.input, request), {}, descriptor);
}

const { method } = CatalogService;

/** The error of a call, and its details, which come in a trailer. */
async function errorOf(answer: Promise<unknown>) {
  const error = await answer.then(
    () => undefined,
    (thrown: RpcError) => thrown,
  );
  const { details } = fromBinary(StatusSchema, base64Decode(error?.metadata["grpc-status-details-bin"] ?? ""));
  return { code: error?.code, details };
}

await report({
  connects: async () => {
    const hotel = await call(method.createHotel, { hotel: hotelOf(env["CLIENT"]!) } as never);
    assert.equal((await call(method.getHotel, { name: hotel.name } as never)).displayName, hotel.displayName);
    created(hotel.name);
  },
  typed: async () => {
    const { rooms } = await call(method.listRooms, { parent: "hotels/hotel-1" } as never);
    const kinds: RoomKind[] = rooms.map(({ kind }) => kind);
    assert.ok(kinds.every((kind) => kind !== RoomKind.UNSPECIFIED));
    const { hotels } = await call(method.listHotels, { pageSize: 2 } as never);
    const counts: bigint[] = hotels.map(({ reviewCount }) => reviewCount);
    assert.ok(counts.length > 0 && counts.every((count) => typeof count === "bigint"));
  },
  errors: async () => {
    const missing = await errorOf(call(method.getHotel, { name: "hotels/none" } as never));
    assert.equal(missing.code, StatusCode.NOT_FOUND);
    const info = missing.details.map((detail) => anyUnpack(detail, ErrorInfoSchema)).find((detail) => detail);
    assert.equal(info?.reason, "HOTEL_NOT_FOUND");
    const invalid = await errorOf(call(method.createHotel, { hotel: {} } as never));
    const rules = invalid.details.map((detail) => anyUnpack(detail, BadRequestSchema)).find((detail) => detail);
    assert.match(rules?.fieldViolations[0]?.field ?? "", /^hotel\./);
  },
  streams: async () => {
    const { watchReservation } = ReservationService.method;
    const { url, descriptor } = described(watchReservation);
    const stream = client.serverStreaming(
      url,
      create(watchReservation.input, { name: env["RESERVATION"]! }),
      {},
      descriptor,
    );
    const first = await new Promise<{ readonly $typeName: string }>((resolve, reject) => {
      stream.on("data", resolve).on("error", reject);
    });
    stream.cancel();
    assert.equal(first.$typeName, "booking.v1.ReservationEvent");
  },
});
