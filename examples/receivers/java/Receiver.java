// Receives Zimbo's webhooks. Java 17 or later, nothing to install or compile.
//
//     ZIMBO_WEBHOOK_SECRET=whsec_… ZIMBO_API_KEY=sk_test_… java Receiver.java
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.sun.net.httpserver.*;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.security.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.regex.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Receiver {
  static final String SECRET = setting("ZIMBO_WEBHOOK_SECRET", "");
  static final String API_KEY = setting("ZIMBO_API_KEY", "");
  static final String API_URL = setting("ZIMBO_URL", "http://127.0.0.1:3000");
  static final int PORT = Integer.parseInt(setting("PORT", "4400"));
  static final Path FOLDER = Path.of(setting("RECEIVER_FOLDER", "received"));
  static final Path INBOX = FOLDER.resolve("inbox");
  static final Path DONE = FOLDER.resolve("done");
  static final Path STATUSES = FOLDER.resolve("statuses");

  static final int MAX_BYTES = 4 * 1024 * 1024;
  static final int MAX_AGE_SECONDS = 300;
  static final Map<String, String> RESOURCES =
      Map.of("payment", "payments", "refund", "refunds", "checkout", "checkout/sessions");
  static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  public static void main(String[] arguments) throws Exception {
    for (Path folder : List.of(INBOX, DONE, STATUSES)) Files.createDirectories(folder);
    System.setProperty("sun.net.httpserver.maxReqTime", "15");
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 0);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/", Receiver::answer);
    server.start();
    for (; ; Thread.sleep(1000)) work();
  }

  static void answer(HttpExchange exchange) throws IOException {
    int status = 500;
    try {
      byte[] body = exchange.getRequestBody().readNBytes(MAX_BYTES + 1);
      status = receive(exchange.getRequestHeaders(), body);
    } catch (Exception error) {
      System.err.println(error);
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  static int receive(Headers headers, byte[] body) throws Exception {
    if (body.length > MAX_BYTES) return 413;
    if (!isGenuine(headers, body)) return 400;
    store(texts(new String(body, UTF_8)).get("id"), body);
    return 200;
  }

  /** The signature covers the time and the raw bytes. During a rotation, two secrets sign. */
  static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
    String timestamp = header(headers, "X-Service-Timestamp");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
    mac.update((timestamp + ".").getBytes(UTF_8));
    byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(UTF_8);
    for (String name : List.of("X-Service-Signature", "X-Service-Signature-Next")) {
      if (MessageDigest.isEqual(expected, header(headers, name).getBytes(UTF_8)))
        return Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp))
            <= MAX_AGE_SECONDS;
    }
    return false;
  }

  static String header(Headers headers, String name) {
    String value = headers.getFirst(name);
    return value == null ? "" : value;
  }

  /** Zimbo does not send an event again once we have answered 200, so it is on the disk before. */
  static void store(String eventId, byte[] body) throws IOException {
    if (!Files.exists(DONE.resolve(eventId))) write(INBOX.resolve(eventId), body);
  }

  /** Writes all of the file or nothing, and waits for the disk. */
  static void write(Path path, byte[] content) throws IOException {
    Path temporary = Files.createTempFile(FOLDER, "new-", "");
    try (FileChannel file = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) file.write(rest);
      file.force(true);
    }
    Files.move(temporary, path, ATOMIC_MOVE, REPLACE_EXISTING);
  }

  /** Handles what is in the inbox. An event that fails stays there and is tried again. */
  static void work() throws IOException {
    List<Path> files;
    try (var listed = Files.list(INBOX)) {
      files = listed.sorted().toList();
    }
    for (Path file : files) {
      try {
        handle(texts(Files.readString(file)));
        Files.write(DONE.resolve(file.getFileName()), new byte[0]);
        Files.delete(file);
      } catch (Exception error) {
        System.err.println(file.getFileName() + ": " + error);
      }
    }
  }

  /**
   * An event only says that something has changed. The API says how things stand now, so the order
   * in which events arrive does not matter.
   */
  static void handle(Map<String, String> event) throws Exception {
    String resource = RESOURCES.get(event.get("type").split("\\.")[0]);
    if (resource == null) return;
    URI uri = URI.create(API_URL + "/v1/" + resource + "/" + event.get("data.id"));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + API_KEY)
            .timeout(Duration.ofSeconds(10))
            .build();
    var answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IOException("the API answers " + answer.statusCode());
    Map<String, String> current = texts(answer.body());
    update(current.get("id"), current.get("status"));
  }

  /** Your part: find the order by the externalId and change it, in one transaction. */
  static void update(String id, String status) throws IOException {
    Path file = STATUSES.resolve(id);
    if (Files.exists(file) && Files.readString(file).equals(status)) return;
    System.out.println(id + " " + status);
    write(file, status.getBytes(UTF_8));
  }

  static final Pattern TOKEN = Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"(\\s*:)?|[{}\\[\\]]");

  /** The texts of JSON by their paths, such as "data.id". Java has no parser; use that of your shop. */
  static Map<String, String> texts(String json) {
    Map<String, String> found = new HashMap<>();
    ArrayDeque<String> path = new ArrayDeque<>();
    String key = "";
    for (Matcher token = TOKEN.matcher(json); token.find(); ) {
      switch (token.group().charAt(0)) {
        case '{', '[' -> path.addLast(path.isEmpty() ? "" : path.getLast() + key + ".");
        case '}', ']' -> path.removeLast();
        default -> {
          if (token.group(2) != null) key = token.group(1);
          else found.put(path.getLast() + key, token.group(1));
        }
      }
    }
    return found;
  }

  static String setting(String name, String otherwise) {
    String value = System.getenv().getOrDefault(name, "");
    if (value.isEmpty()) value = otherwise;
    if (value.isEmpty()) throw new IllegalStateException(name + " is not set");
    return value;
  }
}
