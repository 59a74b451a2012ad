package main

import (
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

type product struct {
	ID, Name, About string
	// Price is in centavos.
	Price   int64
	Drawing string
}

type text struct{ Title, About string }

type orderView struct {
	order
	Text    text
	Product *product
}

var texts = map[string]text{
	"NEW":           {"A aguardar o pagamento", "Esta página atualiza-se sozinha. Se ainda não pagou, pode fazê-lo agora."},
	"PAID":          {"Encomenda paga", "Obrigado. Recebemos o seu pagamento e vamos preparar a encomenda."},
	"REFUNDING":     {"A devolver o dinheiro", "Cancelou a encomenda. O dinheiro volta ao telemóvel com que pagou."},
	"REFUNDED":      {"Dinheiro devolvido", "A encomenda foi cancelada, e o dinheiro voltou ao telemóvel com que pagou."},
	"REFUND_FAILED": {"A devolução falhou", "Não conseguimos devolver o dinheiro. Fale connosco, por favor."},
}

//go:embed pages.tmpl
var source string

// html/template escapes every value: names come from people, and people write <b>.
var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"gateway":  func() string { return gateway },
	"money":    money,
	"newOrder": rand.Text,
	"soldLine": soldLine,
}).Parse(source))

func readProducts() (products []product) {
	content, err := os.ReadFile("../../shop/products.json")
	if err == nil {
		err = json.Unmarshal(content, &products)
	}
	if err != nil {
		log.Fatal(err)
	}
	return products
}

func (s *shop) product(id string) *product {
	found := slices.IndexFunc(s.products, func(each product) bool { return each.ID == id })
	if found < 0 {
		return nil
	}
	return &s.products[found]
}

func (s *shop) showProducts(w http.ResponseWriter, _ *http.Request) {
	show(w, 200, "products", map[string]any{"Products": s.products, "Sold": s.orders.sold()})
}

func notice(w http.ResponseWriter, status int, title string) {
	show(w, status, "notice", title)
}

func fail(w http.ResponseWriter, err error) {
	log.Print(err)
	notice(w, 502, "Algo correu mal do nosso lado")
}

// show sends a page that loads only our own files, and from the gateway its script and its page. Forms lead there too.
func show(w http.ResponseWriter, status int, name string, data any) {
	parsed, _ := url.Parse(gateway)
	origin := parsed.Scheme + "://" + parsed.Host
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self' "+origin+
		"; connect-src 'self'; frame-src "+origin+"; img-src data:; form-action 'self' "+origin+
		"; base-uri 'none'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		log.Print(err)
	}
}

func soldLine(count int) string {
	switch count {
	case 0:
		return "Seja o primeiro a comprar"
	case 1:
		return "1 vendido"
	}
	return fmt.Sprintf("%d vendidos", count)
}

// money writes centavos in local notation: 4.200$00 CVE
func money(centavos int64) string {
	whole := fmt.Sprint(centavos / 100)
	var groups []string
	for ; len(whole) > 3; whole = whole[:len(whole)-3] {
		groups = append([]string{whole[len(whole)-3:]}, groups...)
	}
	return fmt.Sprintf("%s$%02d CVE", strings.Join(append([]string{whole}, groups...), "."), centavos%100)
}
