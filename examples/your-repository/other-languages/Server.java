// Serves the contract in ../proto over REST, with Java's own library: java Server.java PORT.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public final class Server {
    private static final int ITEMS = 200;
    private static final int DEFAULT_PAGE_SIZE = 20;
    private static final Pattern SKU = Pattern.compile("\"sku\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern PAGE_SIZE = Pattern.compile("\"pageSize\"\\s*:\\s*(-?\\d+)");
    private static final Pattern PIECES = Pattern.compile("\"pieces\"\\s*:\\s*(-?\\d+)");

    /** An error of the contract, with its HTTP status. */
    private static final class CallError extends RuntimeException {
        final int status;
        final String code;

        CallError(int status, String code, String detail) {
            super(detail);
            this.status = status;
            this.code = code;
        }
    }

    private static String member(Pattern pattern, String request, String otherwise) {
        var found = pattern.matcher(request);
        return found.find() ? found.group(1) : otherwise;
    }

    private static String item(int number) {
        // JSON has no 64-bit integers: protobuf writes them as strings.
        return String.format(
                "{\"sku\":\"sku-%03d\",\"name\":\"Part number %d\",\"priceCents\":\"%d\"}", number, number, 100 + 7 * number);
    }

    private static int find(String sku) {
        var number = sku.matches("sku-\\d{3}") ? Integer.parseInt(sku.substring(4)) : 0;
        if (number < 1 || number > ITEMS) throw new CallError(404, "NOT_FOUND", "there is no item " + sku);
        return number;
    }

    private static String getItem(String request) {
        return item(find(member(SKU, request, "")));
    }

    private static String listItems(String request) {
        var asked = Integer.parseInt(member(PAGE_SIZE, request, "0"));
        var size = asked == 0 ? DEFAULT_PAGE_SIZE : asked;
        if (size < 0 || size > ITEMS) {
            throw new CallError(400, "INVALID_ARGUMENT", "page_size must be 0 to " + ITEMS + ", got " + size);
        }
        return IntStream.rangeClosed(1, size).mapToObj(Server::item).collect(Collectors.joining(",", "{\"items\":[", "]}"));
    }

    private static String reserve(String request) {
        var sku = member(SKU, request, "");
        find(sku);
        return String.format("{\"sku\":\"%s\",\"pieces\":%s}", sku, member(PIECES, request, "0"));
    }

    private static void answer(HttpExchange exchange, int status, String mediaType, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", mediaType);
        exchange.sendResponseHeaders(status, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private static void serve(HttpServer server, String operation, Function<String, String> handler) {
        // A contract without HTTP rules is served at the paths of gRPC.
        server.createContext("/inventory.v1.Inventory/" + operation, exchange -> {
            var request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            try {
                answer(exchange, 200, "application/json", handler.apply(request));
            } catch (CallError error) {
                var problem = String.format("{\"code\":\"%s\",\"detail\":\"%s\"}", error.code, error.getMessage());
                answer(exchange, error.status, "application/problem+json", problem);
            }
        });
    }

    public static void main(String[] words) throws IOException {
        // An answer is one small packet, and must not wait for the one before to arrive.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(words[0])), 0);
        serve(server, "GetItem", Server::getItem);
        serve(server, "ListItems", Server::listItems);
        serve(server, "Reserve", Server::reserve);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }
}
