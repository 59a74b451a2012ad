package main

import (
	"io"
	"log"
	"net/http"

	zimbo "github.com/zimbo-gateway/zimbo/sdk/go"
)

func (s *shop) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBytes))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	event, err := zimbo.VerifyWebhook(body, r.Header, s.secret)
	if err != nil {
		log.Printf("refused a webhook: %v", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	switch data := event.Data.(type) {
	case *zimbo.CheckoutSession:
		err = s.takeSession(data, event.ID)
	case *zimbo.Refund:
		err = s.takeRefund(data, event.ID)
	}
	if err != nil {
		fail(w, err) // the gateway sends the event again
	}
}

// takeSession is the only place where an order becomes paid: by its own session, of its own price, once.
func (s *shop) takeSession(session *zimbo.CheckoutSession, eventID string) error {
	return s.orders.change(textOf(session.ExternalID), eventID, func(o *order) {
		if o.Session != session.ID || o.Status != "NEW" {
			return
		}
		isWhole := int64(session.Amount) == o.Price && session.Currency == zimbo.CurrencyCve
		switch {
		case session.Status == zimbo.CheckoutSessionStatusCompleted && isWhole:
			o.Status, o.Payment = "PAID", textOf(session.PaymentIntentID)
		case session.Status == zimbo.CheckoutSessionStatusExpired:
			o.Attempt, o.Session = o.Attempt+1, ""
		}
	})
}

// takeRefund takes the order's own refund. The payment may have others, so an event counts only once an answer has told
// the id of ours.
func (s *shop) takeRefund(refund *zimbo.Refund, eventID string) error {
	return s.orders.change(textOf(refund.ExternalID), eventID, func(o *order) {
		isOurs := o.Refund == refund.ID || o.Refund == "" && eventID == ""
		if !isOurs || o.Status != "REFUNDING" || o.Payment != refund.PaymentIntentID {
			return
		}
		o.Refund = refund.ID
		switch refund.Status {
		case zimbo.RefundStatusSucceeded:
			o.Status = "REFUNDED"
		case zimbo.RefundStatusFailed:
			o.Status = "REFUND_FAILED"
		}
	})
}

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
