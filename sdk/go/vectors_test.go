package zimbo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// The vectors that every library of Zimbo runs: signatures, retries, pages, errors and money.
func vectors[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile("../vectors/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []T
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

type signatureCase struct {
	Name       string
	BodyBase64 []byte
	Headers    map[string]string
	Secret     string
	NowSeconds int64
	EventID    string
	Refusal    string
}

func (c signatureCase) header() http.Header {
	header := http.Header{}
	for name, value := range c.Headers {
		header.Add(name, value)
	}
	return header
}

func TestSignatures(t *testing.T) {
	refusals := map[string]error{
		"MISSING_HEADER":  ErrMissingHeader,
		"WRONG_SIGNATURE": ErrWrongSignature,
		"STALE_TIMESTAMP": ErrStaleTimestamp,
		"NOT_AN_EVENT":    ErrNotAnEvent,
	}
	for _, c := range vectors[signatureCase](t, "signatures") {
		t.Run(c.Name, func(t *testing.T) {
			event, err := verifyWebhookAt(c.BodyBase64, c.header(), c.Secret, time.Unix(c.NowSeconds, 0))
			if !errors.Is(err, refusals[c.Refusal]) || (err != nil && c.Refusal == "") {
				t.Fatalf("%v, not %q", err, c.Refusal)
			}
			if err == nil && event.ID != c.EventID {
				t.Fatal(event.ID)
			}
		})
	}
}

func TestSignsWhatItVerifies(t *testing.T) {
	c := vectors[signatureCase](t, "signatures")[0]
	header := SignWebhook(c.BodyBase64, c.Secret)
	event, err := VerifyWebhook(c.BodyBase64, header, c.Secret)
	if err != nil {
		t.Fatal(err)
	}
	if payment, isPayment := event.Data.(*Payment); !isPayment || payment.Amount != 10000 {
		t.Fatalf("%#v", event.Data)
	}
	header.Add("X-Service-Signature", header.Get("X-Service-Signature"))
	if _, err := VerifyWebhook(c.BodyBase64, header, c.Secret); !errors.Is(err, ErrMissingHeader) {
		t.Fatal("accepts a header that occurs twice")
	}
}

func TestRetries(t *testing.T) {
	type retryCase struct {
		Status            any
		IsRepeatable      bool
		FailedBefore      int
		Random            float64
		RetryAfterSeconds *float64
		GapMs             *float64
	}
	for _, c := range vectors[retryCase](t, "retries") {
		failure := &Error{Code: CodeUnexpectedAnswer}
		switch status := c.Status.(type) {
		case string:
			failure.Code = status
		case float64:
			failure.Status = int(status)
		}
		if c.RetryAfterSeconds != nil {
			failure.RetryAfter = time.Duration(*c.RetryAfterSeconds) * time.Second
		}
		gap, isRetried := retryGap(failure, c.FailedBefore, c.IsRepeatable, c.Random)
		if isRetried != (c.GapMs != nil) || (isRetried && float64(gap)/1e6 != *c.GapMs) {
			t.Errorf("%+v: %v %v", c, gap, isRetried)
		}
	}
}

func TestErrors(t *testing.T) {
	type errorCase struct {
		Name    string
		Status  int
		Headers map[string]string
		Body    string
		Expect  struct {
			Code, Message, Param, RequestID string
			Details                         []Problem
			RetryAfterSeconds               *float64
		}
	}
	for _, c := range vectors[errorCase](t, "errors") {
		header := http.Header{}
		for name, value := range c.Headers {
			header.Set(name, value)
		}
		failure := errorOfAnswer(c.Status, header, []byte(c.Body), "key-1")
		wanted := c.Expect
		if failure.Status != c.Status || failure.Code != wanted.Code || failure.Param != wanted.Param ||
			failure.RequestID != wanted.RequestID || failure.IdempotencyKey != "key-1" ||
			(wanted.Message != "" && failure.Message != wanted.Message) {
			t.Errorf("%s: %+v", c.Name, failure)
		}
		if len(wanted.Details)+len(failure.Details) > 0 && !reflect.DeepEqual(wanted.Details, failure.Details) {
			t.Errorf("%s: %+v", c.Name, failure.Details)
		}
		isWaiting := wanted.RetryAfterSeconds != nil
		if failure.HasRetryAfter != isWaiting || (isWaiting && failure.RetryAfter.Seconds() != *wanted.RetryAfterSeconds) {
			t.Errorf("%s: %v", c.Name, failure.RetryAfter)
		}
	}
}

func TestAddresses(t *testing.T) {
	type addressCase struct {
		URL       string
		IsRefused bool
	}
	for _, c := range vectors[addressCase](t, "addresses") {
		if _, err := New("sk_test_vectors", c.URL); (err != nil) != c.IsRefused {
			t.Errorf("%q: %v", c.URL, err)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, c := range vectors[struct{ Name, Body string }](t, "answers") {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, c.Body)
		}))
		defer server.Close()
		client, err := New("sk_test_vectors", server.URL)
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Payments.Get(context.Background(), "pi_1")
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != CodeUnexpectedAnswer || failure.Status != 200 {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

func TestPages(t *testing.T) {
	type pageCase struct {
		Name         string
		Limit        *int64
		EndingBefore *int64
		Answers      []struct {
			Data    []int
			HasMore bool
		}
		IDs     []int
		Error   string
		Queries []map[string]int
	}
	for _, c := range vectors[pageCase](t, "pages") {
		t.Run(c.Name, func(t *testing.T) {
			var queries []map[string]int
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				query := map[string]int{}
				for name, values := range r.URL.Query() {
					var number int
					if _, err := fmt.Sscanf(values[0], "re_%d", &number); err != nil {
						fmt.Sscanf(values[0], "%d", &number)
					}
					query[name] = number
				}
				queries = append(queries, query)
				answer := c.Answers[len(queries)-1]
				data := []map[string]string{}
				for _, number := range answer.Data {
					data = append(data, map[string]string{"id": fmt.Sprintf("re_%d", number), "amount": "100", "status": "INVENTED"})
				}
				json.NewEncoder(w).Encode(map[string]any{"data": data, "hasMore": answer.HasMore})
			}))
			defer server.Close()
			client, err := New("sk_test_vectors", server.URL)
			if err != nil {
				t.Fatal(err)
			}
			params := ListRefundsParams{}
			if c.Limit != nil {
				params.Limit = Some(*c.Limit)
			}
			if c.EndingBefore != nil {
				params.EndingBefore = Some(fmt.Sprintf("re_%d", *c.EndingBefore))
			}
			ids := []int{}
			code := ""
			for refund, err := range client.Refunds.List(params).All(context.Background()) {
				var failure *Error
				if errors.As(err, &failure) {
					code = failure.Code
					break
				}
				var number int
				fmt.Sscanf(refund.ID, "re_%d", &number)
				ids = append(ids, number)
			}
			if code != c.Error || !reflect.DeepEqual(ids, c.IDs) || !reflect.DeepEqual(queries, c.Queries) {
				t.Fatalf("%q %v %v", code, ids, queries)
			}
		})
	}
}

func TestMoney(t *testing.T) {
	type moneyCase struct {
		Text     string
		Centavos int64
	}
	for _, c := range vectors[moneyCase](t, "money") {
		var balance CurrencyBalance
		text := fmt.Sprintf(`{"currency":"XOF","available":%q,"pending":"0","refundsInTransit":"0"}`, c.Text)
		if err := json.Unmarshal([]byte(text), &balance); err != nil || int64(balance.Available) != c.Centavos {
			t.Errorf("%s: %v %v", c.Text, balance.Available, err)
		}
		if balance.Currency != "XOF" || string(balance.Raw) != text {
			t.Error("loses what it does not know")
		}
	}
}

func TestRefusesAnEmptyKey(t *testing.T) {
	client, err := New("sk_test_x", "http://127.0.0.1:9", WithMaxRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Payments.Create(context.Background(), CreatePaymentParams{}, IdempotencyKey(""))
	if err == nil || !strings.Contains(err.Error(), "idempotency key must have 1 to 255") {
		t.Fatalf("%v", err)
	}
}

func TestSendsNoMoneyWithoutAKey(t *testing.T) {
	client, err := New("sk_test_x", "http://127.0.0.1:9")
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Disbursements.Create(context.Background(), CreateDisbursementParams{}, "")
	if err == nil || !strings.Contains(err.Error(), "idempotency key must have 1 to 255") {
		t.Fatalf("%v", err)
	}
}
