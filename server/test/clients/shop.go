package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

func check(isTrue bool, value any) {
	if !isTrue {
		panic(fmt.Sprintf("%+v", value))
	}
}

func must[T any](value T, err error) T {
	check(err == nil, err)
	return value
}

func point[T any](value T) *T { return &value }

// A shop in Go with the generated client: pays, refunds, and takes a webhook.
func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SHOP_KEY"))
		return nil
	}
	client := must(NewClientWithResponses(os.Getenv("SHOP_URL"), WithRequestEditorFn(authorize)))
	body := CreatePaymentBody{Amount: 10_000, Operator: MOCK, OperatorPhone: "+238 991 23 47",
		Metadata: &map[string]any{"order": 19}}
	params := &CreatePaymentParams{IdempotencyKey: point("order 19")}
	payment := must(client.CreatePaymentWithResponse(ctx, params, body)).JSON200
	check(payment != nil && payment.Status == PaymentStatusCREATED && (*payment.Metadata)["order"] == 19.0, payment)
	again := must(client.CreatePaymentWithResponse(ctx, params, body))
	check(again.JSON200.Id == payment.Id && again.HTTPResponse.Header.Get("Idempotent-Replayed") == "true", again)

	for payment.Status != PaymentStatusDEBITED {
		check(payment.FailureCode == nil, payment)
		time.Sleep(100 * time.Millisecond)
		payment = must(client.GetPaymentWithResponse(ctx, payment.Id)).JSON200
	}
	listed := must(client.ListPaymentsWithResponse(ctx, &ListPaymentsParams{
		CreatedGte: point(time.Now().Add(-24 * time.Hour)),
		Status:     &[]PaymentStatus{PaymentStatusDEBITED, PaymentStatusCREATED},
		Operator:   &[]Operator{MOCK},
	})).JSON200
	check(listed.Data[0].Id == payment.Id, listed)
	refund := must(client.CreateRefundWithResponse(ctx, &CreateRefundParams{},
		CreateRefundBody{PaymentIntentId: payment.Id, Amount: point(int64(4_000))})).JSON200
	check(refund.Amount == "4000" && refund.PaymentIntentId == payment.Id, refund)
	items := []NewCheckoutSessionItem{{Name: "Cachupa", Quantity: 2, UnitPrice: 50_000}}
	session := must(client.CreateCheckoutSessionWithResponse(ctx, &CreateCheckoutSessionParams{},
		CreateCheckoutSessionBody{Items: &items})).JSON200
	check(session.Amount == "100000" && session.CustomerId == nil, session)
	missing := must(client.GetPaymentWithResponse(ctx, "pi_nobodys"))
	check(missing.JSON404.Error.Code == ErrorCodeNOTFOUND, missing)
	events := must(client.ListEventsWithResponse(ctx, &ListEventsParams{})).JSON200
	isCreated := false
	for _, event := range events.Data {
		_, is := must(event.ValueByDiscriminator()).(PaymentCreatedEvent)
		isCreated = isCreated || is
	}
	check(isCreated, events)

	text := os.Getenv("SHOP_WEBHOOK_BODY")
	mac := hmac.New(sha256.New, []byte(os.Getenv("SHOP_WEBHOOK_SECRET")))
	mac.Write([]byte(os.Getenv("SHOP_WEBHOOK_TIMESTAMP") + "." + text))
	expected := hex.EncodeToString(mac.Sum(nil))
	check(hmac.Equal([]byte(expected), []byte(os.Getenv("SHOP_WEBHOOK_SIGNATURE"))), "the signature")
	var event Event
	check(json.Unmarshal([]byte(text), &event) == nil, text)
	failed, is := must(event.ValueByDiscriminator()).(PaymentFailedEvent)
	check(is && *failed.Data.FailureCode == FailureCodeINSUFFICIENTFUNDS, event)
	fmt.Println("go: created, got, listed, refunded and verified")
}
