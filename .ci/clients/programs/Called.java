// openapi-generator's java.
import java.io.IOException;
import java.util.concurrent.Callable;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CatalogApi;
import org.openapitools.client.api.ReservationApi;
import org.openapitools.client.model.Address;
import org.openapitools.client.model.Hotel;
import org.openapitools.client.model.Problem;

public class Called {
  static final ApiClient service = new ApiClient();

  /** A line for a cell, as report.ts has them. */
  static void cell(String name, Callable<Boolean> check) {
    String outcome;
    try {
      outcome = check.call() ? "ok" : "does not hold";
    } catch (Exception thrown) {
      outcome = String.valueOf(thrown).replaceAll("\\s+", " ");
    }
    System.out.println(name + " " + outcome);
  }

  static Hotel hotel(String name) {
    return new Hotel().displayName(name).stars(3).address(new Address().city("Bern").postalCode("3000").countryCode("CH"));
  }

  static Problem problem(Callable<?> call) throws Exception {
    try {
      call.call();
    } catch (ApiException thrown) {
      return Problem.fromJson(thrown.getResponseBody());
    }
    throw new IOException("no error");
  }

  public static void main(String[] args) {
    service.setBasePath(System.getenv("REST"));
    CatalogApi catalog = new CatalogApi(service);
    String client = "Client " + System.getenv("CLIENT");
    cell("connects", () -> {
      Hotel made = catalog.createHotel(hotel(client), null, null, null);
      System.out.println("created " + made.getName());
      return catalog.getHotel(made.getName().split("/")[1], null, null).getDisplayName().equals(client);
    });
    cell("typed", () -> catalog.listRooms("hotel-1", null, null, null).getRooms().stream().allMatch(room -> room.getKind() != null && room.getBeds() >= 1));
    cell("errors", () -> {
      Problem missing = problem(() -> catalog.getHotel("none", null, null));
      Problem invalid = problem(() -> catalog.createHotel(hotel(""), null, null, null));
      return missing.getReason().equals("HOTEL_NOT_FOUND") && invalid.getViolations().get(0).getField().equals("hotel.displayName");
    });
    String[] parts = System.getenv("RESERVATION").split("/");
    cell("streams", () -> new ReservationApi(service).watchReservation(parts[1], parts[3], null).contains("eventTime"));
  }
}
