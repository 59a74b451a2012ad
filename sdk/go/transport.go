package zimbo

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Version of this library.
const Version = "0.1.0"

// An answer larger than this is none of the gateway's.
const largestAnswer = 64 << 20

type transport struct {
	apiKey     string
	baseURL    string
	client     *http.Client
	timeout    time.Duration
	maxRetries int
	onAnswer   func(*http.Response)
}

// request is one call of the API.
type request struct {
	method string
	// path is empty if an id is malformed.
	path     string
	query    any
	body     any
	takesKey bool
	// requiresKey: the caller chooses the key, one for each debt.
	requiresKey bool
	key         string
}

func (r request) isRepeatable() bool {
	return r.method == http.MethodGet || r.takesKey
}

// CallOption changes one call.
type CallOption func(*call)

type call struct {
	key     string
	hasKey  bool
	timeout time.Duration
}

// IdempotencyKey makes a call that is repeated under this key take effect once. By default, each call makes a new key
// and keeps it over its retries. Calls that send money take their key as a parameter instead.
func IdempotencyKey(key string) CallOption {
	return func(c *call) { c.key, c.hasKey = key, true }
}

// Timeout of one attempt.
func Timeout(timeout time.Duration) CallOption {
	return func(c *call) { c.timeout = timeout }
}

func send[T any](ctx context.Context, t *transport, r request, options []CallOption) (*T, error) {
	answer := new(T)
	err := t.call(ctx, r, options, func(body []byte) error { return readObject(body, answer) })
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// readObject reads an answer; encoding/json alone would take null for an empty one.
func readObject(body []byte, into any) error {
	if string(bytes.TrimSpace(body)) == "null" {
		return errors.New("the answer is null")
	}
	return json.Unmarshal(body, into)
}

func sendForText(ctx context.Context, t *transport, r request, options []CallOption) (string, error) {
	text := ""
	err := t.call(ctx, r, options, func(body []byte) error { text = string(body); return nil })
	return text, err
}

var goodKey = regexp.MustCompile(`^[\x20-\x7e]{1,255}$`)

func (t *transport) call(ctx context.Context, r request, options []CallOption, read func([]byte) error) error {
	c := call{timeout: t.timeout}
	for _, option := range options {
		option(&c)
	}
	if !r.takesKey {
		c.key = ""
	} else if r.requiresKey {
		c.key = r.key
	} else if !c.hasKey {
		c.key = rand.Text()
	}
	if r.takesKey && !goodKey.MatchString(c.key) {
		return errors.New("zimbo: the idempotency key must have 1 to 255 printable ASCII characters")
	}
	if r.path == "" {
		return errors.New("zimbo: the id must be one from the gateway, not empty or dots")
	}
	target, content, err := t.prepare(r)
	if err != nil {
		return fmt.Errorf("zimbo: the parameters are no JSON: %w", err)
	}
	for failedBefore := 0; ; failedBefore++ {
		failure := t.attempt(ctx, r, c, target, content, read)
		if failure == nil {
			return nil
		}
		if failedBefore >= t.maxRetries || ctx.Err() != nil {
			return failure
		}
		gap, isRetried := retryGap(failure, failedBefore, r.isRepeatable(), mathrand.Float64())
		if !isRetried {
			return failure
		}
		select {
		case <-time.After(gap):
		case <-ctx.Done():
			failure.cause = ctx.Err()
			return failure
		}
	}
}

func (t *transport) prepare(r request) (target string, content []byte, err error) {
	target = t.baseURL + r.path
	if r.query != nil {
		values, err := queryOf(r.query)
		if err != nil {
			return "", nil, err
		}
		if text := values.Encode(); text != "" {
			target += "?" + text
		}
	}
	if r.body != nil {
		content, err = json.Marshal(r.body)
	}
	return target, content, err
}

func (t *transport) attempt(ctx context.Context, r request, c call, target string, content []byte, read func([]byte) error) *Error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, errLate)
	defer cancel()
	sent, err := http.NewRequestWithContext(ctx, r.method, target, bytes.NewReader(content))
	if err != nil {
		return &Error{Code: CodeConnectionFailed, Message: err.Error(), cause: err}
	}
	sent.Header.Set("Authorization", "Bearer "+t.apiKey)
	sent.Header.Set("Accept", "application/json")
	sent.Header.Set("User-Agent", "zimbo-go/"+Version)
	if c.key != "" {
		sent.Header.Set("Idempotency-Key", c.key)
	}
	if content != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	answer, err := t.client.Do(sent)
	if err != nil {
		return t.noAnswer(ctx, c, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, largestAnswer+1))
	if err != nil {
		return t.noAnswer(ctx, c, err)
	}
	if t.onAnswer != nil {
		t.onAnswer(answer)
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return errorOfAnswer(answer.StatusCode, answer.Header, body, c.key)
	}
	if len(body) > largestAnswer {
		read = func([]byte) error { return errors.New("the answer is too large") }
	}
	if err := read(body); err != nil {
		failure := errorOfAnswer(answer.StatusCode, answer.Header, nil, c.key)
		failure.cause = err
		return failure
	}
	return nil
}

var errLate = errors.New("no answer in time")

func (t *transport) noAnswer(ctx context.Context, c call, cause error) *Error {
	if errors.Is(context.Cause(ctx), errLate) {
		message := fmt.Sprintf("no answer within %s", c.timeout)
		return &Error{Code: CodeTimeout, Message: message, IdempotencyKey: c.key, cause: cause}
	}
	message := fmt.Sprintf("no answer from %s: is the gateway running, and the base URL right? (%v)", t.baseURL, cause)
	return &Error{Code: CodeConnectionFailed, Message: message, IdempotencyKey: c.key, cause: cause}
}

// queryOf turns parameters into a query: several values into one with commas, and an object into one for each key.
func queryOf(params any) (url.Values, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		return nil, err
	}
	values := url.Values{}
	for name, value := range fields {
		switch value := value.(type) {
		case nil:
		case []any:
			texts := make([]string, len(value))
			for i, each := range value {
				texts[i] = fmt.Sprint(each)
			}
			values.Set(name, strings.Join(texts, ","))
		case map[string]any:
			for key, each := range value {
				values.Set(name+"["+key+"]", fmt.Sprint(each))
			}
		default:
			values.Set(name, fmt.Sprint(value))
		}
	}
	return values, nil
}

var onlyDots = regexp.MustCompile(`^\.*$`)

// pathOf fills the names of a path with ids; an empty id or dots would lead to another operation, and give no path.
func pathOf(path string, namesAndValues ...string) string {
	for i := 0; i < len(namesAndValues); i += 2 {
		value := namesAndValues[i+1]
		if onlyDots.MatchString(value) {
			return ""
		}
		path = strings.Replace(path, "{"+namesAndValues[i]+"}", url.PathEscape(value), 1)
	}
	return path
}
