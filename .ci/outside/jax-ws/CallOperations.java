import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.module.jakarta.xmlbind.JakartaXmlBindAnnotationModule;
import com.sun.tools.ws.wscompile.WsimportTool;
import com.sun.xml.ws.developer.JAXWSProperties;
import com.sun.xml.ws.developer.SchemaValidationFeature;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Holder;
import jakarta.xml.ws.Service;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.datatype.DatatypeConfigurationException;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.namespace.QName;

/**
 * Calls a SOAP server with the classes that wsimport generates from its WSDL. Every message is validated against the schemas of the WSDL.
 *
 * <p>Takes the address of the WSDL, a file of customizations, and an empty folder. Prints the operations in the WSDL, then answers each line: {@code {"service", "version", "operation",
 * "request"}} with {@code {"answer"}}, {@code {"fault"}} or {@code {"error"}}. Values have the names of the WSDL.
 */
public class CallOperations {
  private static final int TIMEOUT_MS = 10_000;
  private static final JsonMapper JSON = jsonMapper();

  public static void main(String[] args) throws Exception {
    var wsdl = args[0];
    var folder = Path.of(args[2]);
    // wsimport leaves out ports for SOAP 1.2 without -extension: WSDL 1.1 has none.
    var options = new String[] {"-quiet", "-extension", "-b", args[1], "-d", folder.toString(), wsdl};
    if (!new WsimportTool(System.err).run(options)) System.exit(1);

    var interfaces = serviceInterfaces(folder);
    var operations = new TreeMap<String, Method>();
    interfaces.forEach((service, type) -> {
      for (var method : type.getMethods()) operations.put(service + "." + operationName(method), method);
    });
    print(operations.keySet());

    var ports = new HashMap<String, Object>();
    var lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      var call = JSON.readTree(lines.nextLine());
      var service = call.get("service").textValue();
      var port = service + "." + call.get("version").textValue();
      if (!ports.containsKey(port)) ports.put(port, connect(wsdl, service, port, interfaces.get(service)));
      var method = operations.get(service + "." + call.get("operation").textValue());
      print(outcomeOf(ports.get(port), method, call.get("request")));
    }
  }

  private static void print(Object value) throws IOException {
    System.out.println(JSON.writeValueAsString(value));
  }

  /** JSON for classes that wsimport generates. Lists without elements are absent, and times keep every digit. */
  private static JsonMapper jsonMapper() {
    var times = new SimpleModule();
    times.addSerializer(XMLGregorianCalendar.class, ToStringSerializer.instance);
    times.addDeserializer(
        XMLGregorianCalendar.class,
        new StdScalarDeserializer<XMLGregorianCalendar>(XMLGregorianCalendar.class) {
          @Override
          public XMLGregorianCalendar deserialize(JsonParser json, DeserializationContext context) throws IOException {
            try {
              return DatatypeFactory.newInstance().newXMLGregorianCalendar(json.getText());
            } catch (DatatypeConfigurationException exception) {
              throw new IOException(exception);
            }
          }
        });
    return JsonMapper.builder()
        .addModules(new JakartaXmlBindAnnotationModule(), times)
        .withConfigOverride(List.class, list -> list.setInclude(JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, null)))
        .build();
  }

  /** The generated interfaces, by the name of their port type. */
  private static Map<String, Class<?>> serviceInterfaces(Path folder) throws Exception {
    var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
    try (var files = Files.walk(folder)) {
      var found = new HashMap<String, Class<?>>();
      for (var file : files.filter(path -> path.toString().endsWith(".class")).collect(Collectors.toList())) {
        var name = folder.relativize(file).toString().replaceAll("\\.class$", "").replaceAll("[/\\\\]", ".");
        var type = loader.loadClass(name);
        var service = type.getAnnotation(WebService.class);
        if (service != null) found.put(service.name(), type);
      }
      return found;
    }
  }

  private static String operationName(Method method) {
    var name = method.getAnnotation(WebMethod.class).operationName();
    return name.isEmpty() ? method.getName() : name;
  }

  private static Object connect(String wsdl, String service, String port, Class<?> type) throws Exception {
    var namespace = type.getAnnotation(WebService.class).targetNamespace();
    var connected =
        Service.create(URI.create(wsdl).toURL(), new QName(namespace, service))
            .getPort(new QName(namespace, port), type, new SchemaValidationFeature());
    ((BindingProvider) connected).getRequestContext().put(JAXWSProperties.REQUEST_TIMEOUT, TIMEOUT_MS);
    return connected;
  }

  private static Map<String, Object> outcomeOf(Object port, Method method, JsonNode request) {
    try {
      return Map.of("answer", call(port, method, request));
    } catch (InvocationTargetException exception) {
      var cause = exception.getCause();
      try {
        return Map.of("fault", cause.getClass().getMethod("getFaultInfo").invoke(cause));
      } catch (ReflectiveOperationException untyped) {
        return Map.of("error", cause.toString());
      }
    } catch (IllegalAccessException | RuntimeException exception) {
      return Map.of("error", exception.toString());
    }
  }

  /** Calls a method whose parameters are the elements of the request, and holders of the answer's if it has more than one. */
  private static Map<String, Object> call(Object port, Method method, JsonNode request)
      throws InvocationTargetException, IllegalAccessException {
    var arguments =
        Arrays.stream(method.getParameters())
            .map(parameter -> {
              var name = parameter.getAnnotation(WebParam.class);
              var type = parameter.getParameterizedType();
              if (parameter.getType() != Holder.class) return valueOf(request.get(name.name()), type);
              var held = ((ParameterizedType) type).getActualTypeArguments()[0];
              return new Holder<>(name.mode() == WebParam.Mode.OUT ? null : valueOf(request.get(name.name()), held));
            })
            .toArray();
    var returned = method.invoke(port, arguments);

    var answer = new LinkedHashMap<String, Object>();
    if (returned != null) answer.put(method.getAnnotation(WebResult.class).name(), returned);
    for (var index = 0; index < arguments.length; index++) {
      if (!(arguments[index] instanceof Holder)) continue;
      answer.put(method.getParameters()[index].getAnnotation(WebParam.class).name(), ((Holder<?>) arguments[index]).value);
    }
    answer.values().removeIf(value -> value == null || value.equals(List.of()));
    return answer;
  }

  private static Object valueOf(JsonNode json, Type type) {
    return json == null ? null : JSON.convertValue(json, JSON.constructType(type));
  }
}
