// node-soap reads the WSDL and calls by it.
import { createClientAsync } from "soap";
import { assert, created, env, hotelOf, report } from "./report.ts";

const described: any = await createClientAsync(`${env["SOAP"]}?wsdl`);
const service = described["booking.v1.CatalogService"]["booking.v1.CatalogService.soap11"];
/** A call of one of several services, which the client keeps below their names. */
const call = (operation: string, request: object): Promise<any> =>
  new Promise((resolve, reject) => {
    service[operation](request, (error: unknown, answer: unknown) => (error ? reject(error) : resolve(answer)));
  });
const failure = (call: Promise<unknown>): Promise<any> =>
  call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

await report({
  connects: async () => {
    const { displayName, stars, address } = hotelOf(env["CLIENT"]!);
    const spelled = { city: address.city, postal_code: address.postalCode, country_code: address.countryCode };
    const { name } = await call("CreateHotel", { hotel: { display_name: displayName, address: spelled, stars } });
    assert.equal((await call("GetHotel", { name })).display_name, displayName);
    created(name);
  },
  typed: async () => {
    const { hotels } = await call("ListHotels", { page_size: 2 });
    assert.ok(hotels.length > 0 && hotels.every(({ rating }: { rating: unknown }) => typeof rating === "number"));
  },
  errors: async () => {
    const missing = await failure(call("GetHotel", { name: "hotels/none" }));
    assert.match(JSON.stringify(missing?.root?.Envelope?.Body?.Fault), /NOT_FOUND.*HOTEL_NOT_FOUND/);
    const invalid = await failure(call("CreateHotel", { hotel: {} }));
    assert.match(JSON.stringify(invalid?.root?.Envelope?.Body?.Fault), /hotel\./);
  },
});
