package zimbo

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"
)

// Why a delivery is not genuine: answer 400, and ignore it.
var (
	ErrMissingHeader  = errors.New("zimbo: X-Service-Timestamp or X-Service-Signature is missing")
	ErrWrongSignature = errors.New("zimbo: the signature is wrong: another secret, or the body was changed after its arrival")
	ErrStaleTimestamp = errors.New("zimbo: the timestamp is not of now: a replay, or a wrong clock")
	ErrNotAnEvent     = errors.New("zimbo: the body is signed, but is not an event")
)

const tolerance = 300 * time.Second

// VerifyWebhook verifies that the gateway sent this in the last five minutes, and returns the event. During the
// rotation of a secret, deliveries have two signatures; one by your secret is enough. The body must be as received; the
// secret is that of the endpoint, including whsec_.
func VerifyWebhook(body []byte, header http.Header, secret string) (*Event, error) {
	return verifyWebhookAt(body, header, secret, time.Now())
}

var seconds = regexp.MustCompile(`^[0-9]{1,12}$`)

func verifyWebhookAt(body []byte, header http.Header, secret string, now time.Time) (*Event, error) {
	if secret == "" {
		return nil, errors.New("zimbo: the secret of the webhook endpoint is empty: is it set?")
	}
	timestamp, hasTimestamp := single(header, "X-Service-Timestamp")
	signature, hasSignature := single(header, "X-Service-Signature")
	if !hasTimestamp || !hasSignature {
		return nil, ErrMissingHeader
	}
	next, _ := single(header, "X-Service-Signature-Next")
	expected := signatureOf(secret, timestamp, body)
	// Both are compared, in the same time wherever a forged one differs.
	isFirst, isSecond := isSignature(signature, expected), isSignature(next, expected)
	if !isFirst && !isSecond {
		return nil, ErrWrongSignature
	}
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || !seconds.MatchString(timestamp) || now.Sub(time.Unix(at, 0)).Abs() > tolerance {
		return nil, ErrStaleTimestamp
	}
	event := new(Event)
	if err := json.Unmarshal(body, event); err != nil || event.ID == "" || event.Type == "" || !utf8.Valid(body) {
		return nil, ErrNotAnEvent
	}
	return event, nil
}

// SignWebhook returns the headers with which the gateway would send this body now: for tests of your receiver.
func SignWebhook(body []byte, secret string) http.Header {
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	header := http.Header{}
	header.Set("X-Service-Timestamp", timestamp)
	header.Set("X-Service-Signature", hex.EncodeToString(signatureOf(secret, timestamp, body)))
	return header
}

func signatureOf(secret, timestamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return mac.Sum(nil)
}

func isSignature(text string, expected []byte) bool {
	given, err := hex.DecodeString(text)
	return err == nil && hmac.Equal(given, expected)
}

// single returns the value of a header that occurs exactly once.
func single(header http.Header, name string) (string, bool) {
	values := header.Values(name)
	if len(values) != 1 {
		return "", false
	}
	return values[0], true
}
