// openapi-generator's typescript-fetch.
import { CatalogApi, Configuration, ProblemFromJSON, ReservationApi, ResponseError } from "./typescript-fetch/index.ts";
import { assert, created, env, firstOf, hotelOf, report } from "./report.ts";

const configuration = new Configuration({ basePath: env["REST"]! });
const catalog = new CatalogApi(configuration);

async function problemOf(call: Promise<unknown>) {
  const failed = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(failed instanceof ResponseError, String(failed));
  return ProblemFromJSON(await failed.response.json());
}

await report({
  connects: async () => {
    const { name = "", displayName } = await catalog.createHotel({ hotel: hotelOf(env["CLIENT"]!) });
    assert.equal((await catalog.getHotel({ hotelId: name.split("/")[1]! })).displayName, displayName);
    created(name);
  },
  typed: async () => {
    const { hotels = [] } = await catalog.listHotels({ pageSize: 2 });
    const times: (Date | undefined)[] = hotels.map(({ createTime }) => createTime);
    assert.ok(times.length > 0 && times.every((time) => time === undefined || time instanceof Date));
  },
  errors: async () => {
    const { code, reason } = await problemOf(catalog.getHotel({ hotelId: "none" }));
    assert.deepEqual([code, reason], ["NOT_FOUND", "HOTEL_NOT_FOUND"]);
    const { violations } = await problemOf(catalog.createHotel({ hotel: {} }));
    assert.match(violations?.[0]?.field ?? "", /^hotel\./);
  },
  streams: async () => {
    const [, guestId = "", , reservationId = ""] = env["RESERVATION"]!.split("/");
    const { raw } = await new ReservationApi(configuration).watchReservationRaw({ guestId, reservationId });
    await firstOf(raw.body!, "eventTime");
  },
});
