// Package zimbo is a client of Zimbo, the open-source mobile-money payment gateway for Cape Verde and Angola.
package zimbo

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Client of a gateway, for any number of goroutines. Amounts are whole centavos. It retries with growing pauses after
// 429, and after an outage if the call cannot take effect twice: reads, and calls with an idempotency key.
type Client struct {
	resources
}

// Option changes a client.
type Option func(*transport)

// WithTimeout of one attempt; by default 30 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(t *transport) { t.timeout = timeout }
}

// WithMaxRetries says how many attempts may follow the first; by default 3.
func WithMaxRetries(maxRetries int) Option {
	return func(t *transport) { t.maxRetries = maxRetries }
}

// WithHTTPClient sends by a client of your own, for proxies and tests. It should follow no redirect.
func WithHTTPClient(client *http.Client) Option {
	return func(t *transport) { t.client = client }
}

// OnAnswer sees each answer with its headers; its body has been read.
func OnAnswer(see func(*http.Response)) Option {
	return func(t *transport) { t.onAnswer = see }
}

var goodAPIKey = regexp.MustCompile(`^sk_(live|test)_\w+$`)

// New makes a client. The key is sk_test_… or sk_live_…: keep it on your servers. The base URL is that of your gateway,
// such as https://pay.example.cv; it may include a path before /v1.
func New(apiKey, baseURL string, options ...Option) (*Client, error) {
	// The message does not show the value, which may be most of a key.
	if !goodAPIKey.MatchString(apiKey) {
		return nil, errors.New("zimbo: the API key must begin with sk_test_ or sk_live_: is it set?")
	}
	plain, err := checkedURL(baseURL)
	if err != nil {
		return nil, err
	}
	t := &transport{apiKey: apiKey, baseURL: plain, timeout: 30 * time.Second, maxRetries: 3}
	// A redirect would carry the key to another address.
	t.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, option := range options {
		option(t)
	}
	return &Client{newResources(t)}, nil
}

func checkedURL(baseURL string) (string, error) {
	parsed, err := url.Parse(baseURL)
	isWeb := err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Host != ""
	if !isWeb || strings.ContainsAny(baseURL, ` \@`) {
		return "", fmt.Errorf("zimbo: the base URL must be that of your gateway, not %q", baseURL)
	}
	if strings.ContainsAny(baseURL, "?#") {
		return "", fmt.Errorf("zimbo: the base URL must end before ? and #, unlike %q", baseURL)
	}
	plain := strings.TrimRight(baseURL, "/")
	if strings.HasSuffix(plain, "/v1") {
		return "", fmt.Errorf("zimbo: the base URL must end before /v1, unlike %q", baseURL)
	}
	return plain, nil
}
