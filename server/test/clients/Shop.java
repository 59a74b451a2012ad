import cv.zimbo.client.ApiClient;
import cv.zimbo.client.ApiException;
import cv.zimbo.client.ApiResponse;
import cv.zimbo.client.api.CheckoutApi;
import cv.zimbo.client.api.EventsApi;
import cv.zimbo.client.api.PaymentsApi;
import cv.zimbo.client.api.RefundsApi;
import cv.zimbo.client.model.*;
import cv.zimbo.client.model.Error;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A shop in Java with the generated client: pays, refunds, and takes a webhook. */
public class Shop {
  static void check(boolean isTrue, Object what) {
    if (!isTrue) throw new AssertionError(what);
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("SHOP_URL"));
    client.setBearerToken(System.getenv("SHOP_KEY"));
    PaymentsApi payments = new PaymentsApi(client);
    CreatePaymentBody body =
        new CreatePaymentBody()
            .amount(10_000)
            .operator(Operator.MOCK)
            .operatorPhone("+238 991 23 46")
            .metadata(Map.of("order", 18));
    ApiResponse<Payment> answer = payments.createPaymentWithHttpInfo(body, "order 18");
    Payment payment = answer.getData();
    check(answer.getHeaders().containsKey("x-request-id"), answer.getHeaders());
    check(payment.getStatus() == PaymentStatus.CREATED, payment);
    check(payment.getFailureCode() == null && payment.getCheckoutSessionId() == null, payment);
    ApiResponse<Payment> again = payments.createPaymentWithHttpInfo(body, "order 18");
    check(again.getHeaders().containsKey("idempotent-replayed"), again.getHeaders());
    while (payment.getStatus() != PaymentStatus.DEBITED) {
      check(payment.getFailureCode() == null, payment);
      Thread.sleep(100);
      payment = payments.getPayment(payment.getId());
    }
    Refund refund =
        new RefundsApi(client)
            .createRefund(new CreateRefundBody().paymentIntentId(payment.getId()).amount(4_000L), null);
    check(refund.getAmount().equals("4000"), refund);
    PaymentList listed =
        payments.listPayments(
            1, null, null, OffsetDateTime.now().minusDays(1), null, null, null, null,
            List.of(Operator.MOCK), List.of(Currency.CVE), null, null, null, null, null, null, null, null);
    check(listed.getData().get(0).getId().equals(payment.getId()), listed);
    NewCheckoutSessionItem item =
        new NewCheckoutSessionItem().name("Cachupa").quantity(2).unitPrice(50_000);
    CheckoutSession session =
        new CheckoutApi(client)
            .createCheckoutSession(new CreateCheckoutSessionBody().addItemsItem(item), null);
    check(session.getAmount().equals("100000"), session);
    try {
      payments.getPayment("pi_nobodys");
      throw new AssertionError("it was found");
    } catch (ApiException refusal) {
      Error error = client.getJSON().getContext(Error.class).readValue(refusal.getResponseBody(), Error.class);
      check(error.getError().getCode() == ErrorCode.NOT_FOUND, error);
    }
    EventList events =
        new EventsApi(client)
            .listEvents(null, null, null, null, null, null, null, List.of(EventTypeFilter.PAYMENT_), null);
    check(
        events.getData().stream().anyMatch(one -> one.getActualInstance() instanceof PaymentCreatedEvent),
        events);

    String text = System.getenv("SHOP_WEBHOOK_BODY");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(System.getenv("SHOP_WEBHOOK_SECRET").getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String message = System.getenv("SHOP_WEBHOOK_TIMESTAMP") + "." + text;
    String expected = HexFormat.of().formatHex(mac.doFinal(message.getBytes(StandardCharsets.UTF_8)));
    check(expected.equals(System.getenv("SHOP_WEBHOOK_SIGNATURE")), "the signature");
    Object event = client.getJSON().getContext(Event.class).readValue(text, Event.class).getActualInstance();
    check(event instanceof PaymentFailedEvent, event);
    FailureCode reason = ((PaymentFailedEvent) event).getData().getFailureCode();
    check(reason == FailureCode.INSUFFICIENT_FUNDS, reason);
    System.out.println("java: created, got, listed, refunded and verified");
  }
}
