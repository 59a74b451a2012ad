// A shop on net/http: orders, checkout, webhooks, refunds. Go 1.24 or later. Copy from this file.
//
//	go build -o shop . && ./shop
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"time"

	zimbo "github.com/zimbo-gateway/zimbo/sdk/go"
)

const maxBytes = 1_000_000

var (
	gateway = cmp.Or(os.Getenv("ZIMBO_URL"), "http://127.0.0.1:3000")
	address = cmp.Or(os.Getenv("SHOP_URL"), "http://127.0.0.1:4500")
	port    = cmp.Or(os.Getenv("PORT"), "4500")
	orderID = regexp.MustCompile(`^[0-9A-Z]{26}$`)
)

type shop struct {
	client   *zimbo.Client
	secret   string
	products []product
	orders   *store
}

func main() {
	timeout, retries := zimbo.WithTimeout(10*time.Second), zimbo.WithMaxRetries(1)
	client, err := zimbo.New(os.Getenv("ZIMBO_API_KEY"), gateway, timeout, retries)
	if err != nil {
		log.Fatal(err)
	}
	orders, err := openStore(filepath.Join(os.Getenv("SHOP_FOLDER"), "shop.json"))
	if err != nil {
		log.Fatal(err)
	}
	s := &shop{client: client, secret: os.Getenv("ZIMBO_WEBHOOK_SECRET"), products: readProducts(), orders: orders}
	server := http.Server{Addr: "127.0.0.1:" + port, Handler: s.routes(), ReadTimeout: 15 * time.Second}
	log.Fatal(server.ListenAndServe())
}

func (s *shop) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.showProducts)
	mux.HandleFunc("POST /orders", s.buy)
	mux.HandleFunc("GET /orders/{id}", s.showOrder)
	mux.HandleFunc("POST /orders/{id}/pay", func(w http.ResponseWriter, r *http.Request) {
		s.pay(w, r, r.PathValue("id"))
	})
	mux.HandleFunc("POST /orders/{id}/refund", s.refund)
	mux.HandleFunc("POST /webhooks", s.receive)
	for _, name := range []string{"style.css", "dialog.js"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFile(w, r, "../../shop/"+name)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { notice(w, 404, "Página não encontrada") })
	return mux
}

// buy gets the id of the order with the form, so a double click buys once. The price does not come with it: it is ours.
func (s *shop) buy(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBytes)
	id, chosen := r.PostFormValue("order"), s.product(r.PostFormValue("product"))
	if chosen == nil || !orderID.MatchString(id) {
		notice(w, 404, "Não vendemos este artigo")
		return
	}
	if err := s.orders.add(order{ID: id, Product: chosen.ID, Price: chosen.Price, Status: "NEW", Attempt: 1}); err != nil {
		fail(w, err)
		return
	}
	s.pay(w, r, id)
}

// pay leads to the session of the order: the one that it has, or a new one if that has expired.
func (s *shop) pay(w http.ResponseWriter, r *http.Request, id string) {
	o := s.ask(r.Context(), id)
	if o.Status != "NEW" {
		leadTo(w, r, "/orders/"+id, id)
		return
	}
	item := zimbo.NewCheckoutSessionItem{Name: s.product(o.Product).Name, Quantity: 1, UnitPrice: o.Price}
	session, err := s.client.Checkout.Sessions.Create(r.Context(), zimbo.CreateCheckoutSessionParams{
		Items:         zimbo.Some([]zimbo.NewCheckoutSessionItem{item}),
		ExternalID:    zimbo.Some(id),
		ReturnURL:     zimbo.Some(address),
		CompletionURL: zimbo.Some(address + "/orders/" + id),
	}, zimbo.IdempotencyKey(o.sessionKey()))
	if err == nil {
		err = s.orders.change(id, "", func(current *order) {
			if current.Attempt == o.Attempt {
				current.Session = session.ID
			}
		})
	}
	if err != nil {
		fail(w, err)
		return
	}
	leadTo(w, r, session.URL, id)
}

// leadTo leads to the payment page: as its address for dialog.js, which opens it over the shop, otherwise by a redirect.
func leadTo(w http.ResponseWriter, r *http.Request, address, id string) {
	if r.Header.Get("Accept") != "application/json" {
		http.Redirect(w, r, address, http.StatusSeeOther)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string]string{"url": address, "order": "/orders/" + id}); err != nil {
		log.Print(err)
	}
}

// showOrder is where the customer returns. That proves nothing, so the shop asks; it need not wait for the webhook.
func (s *shop) showOrder(w http.ResponseWriter, r *http.Request) {
	o := s.ask(r.Context(), r.PathValue("id"))
	if o.ID == "" {
		notice(w, 404, "Encomenda não encontrada")
		return
	}
	show(w, 200, "order", orderView{o, texts[o.Status], s.product(o.Product)})
}

// refund is for a customer who has changed their mind. The money goes back to the phone that paid.
func (s *shop) refund(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	err := s.orders.change(id, "", func(o *order) {
		if o.Status == "PAID" {
			o.Status = "REFUNDING"
		}
	})
	if err != nil {
		fail(w, err)
		return
	}
	s.ask(r.Context(), id)
	http.Redirect(w, r, "/orders/"+id, http.StatusSeeOther)
}

// ask asks the gateway about an order that is not at its end: webhooks may be late, or lost.
func (s *shop) ask(ctx context.Context, id string) order {
	o := s.orders.find(id)
	var err error
	switch {
	case o.Status == "NEW" && o.Session != "":
		var session *zimbo.CheckoutSession
		if session, err = s.client.Checkout.Sessions.Get(ctx, o.Session); err == nil {
			err = s.takeSession(session, "")
		}
	case o.Status == "REFUNDING":
		var refund *zimbo.Refund
		if refund, err = s.refundOf(ctx, o); err == nil {
			err = s.takeRefund(refund, "")
		}
	}
	if err != nil {
		log.Printf("the gateway says of order %s: %v", id, err)
	}
	// A refund that is refused for good, above a limit for example, needs a person.
	if refusal := (*zimbo.Error)(nil); o.Status == "REFUNDING" && errors.As(err, &refusal) && isFinal(refusal.Status) {
		err = s.orders.change(id, "", func(current *order) {
			if current.Refund == "" {
				current.Status = "REFUND_FAILED"
			}
		})
		if err != nil {
			log.Print(err)
		}
	}
	return s.orders.find(id)
}

func isFinal(status int) bool { return status == http.StatusForbidden || status == http.StatusConflict }

// refundOf makes the refund once, however often it is called.
func (s *shop) refundOf(ctx context.Context, o order) (*zimbo.Refund, error) {
	if o.Refund != "" {
		return s.client.Refunds.Get(ctx, o.Refund)
	}
	params := zimbo.CreateRefundParams{PaymentIntentID: o.Payment}
	return s.client.Refunds.Create(ctx, params, zimbo.IdempotencyKey(o.ID+" refund"))
}
