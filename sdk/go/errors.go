package zimbo

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The codes that this library adds to those of the gateway, which are the values of ErrorCode.
const (
	CodeConnectionFailed = "CONNECTION_FAILED"
	CodeTimeout          = "TIMEOUT"
	CodeUnexpectedAnswer = "UNEXPECTED_ANSWER"
)

// Problem is a rule that a request breaks.
type Problem struct {
	// Param is the field, parameter or header, such as items[0].quantity.
	Param   string `json:"param"`
	Message string `json:"message"`
}

// Error is a call that failed: find it with errors.As.
type Error struct {
	// Code is the gateway's (docs/errors.md), or one of this library's.
	Code    string
	Message string
	// Status of HTTP; 0 without an answer.
	Status int
	// RequestID is what to quote when you report a problem to the gateway's operator.
	RequestID string
	// Param is the rejected field, parameter or header; empty if the gateway names none.
	Param string
	// Details are all problems of the request if it has several.
	Details []Problem
	// RetryAfter is how long the gateway asks you to wait; HasRetryAfter whether it does.
	RetryAfter    time.Duration
	HasRetryAfter bool
	// IdempotencyKey of the request: repeated under this key, the request takes effect once.
	IdempotencyKey string
	cause          error
}

func (e *Error) Error() string {
	if e.RequestID == "" {
		return fmt.Sprintf("zimbo: %s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("zimbo: %s: %s (request %s)", e.Code, e.Message, e.RequestID)
}

// Unwrap returns what made the call fail, such as context.Canceled.
func (e *Error) Unwrap() error {
	return e.cause
}

// errorOfAnswer makes the error of an answer that is not 2xx, or not JSON.
func errorOfAnswer(status int, header http.Header, body []byte, key string) *Error {
	failure := &Error{Status: status, RequestID: header.Get("X-Request-Id"), IdempotencyKey: key}
	failure.RetryAfter, failure.HasRetryAfter = retryAfter(header)
	var answer struct {
		Error *struct {
			Code      string          `json:"code"`
			Message   string          `json:"message"`
			Param     string          `json:"param"`
			RequestID string          `json:"requestId"`
			Details   json.RawMessage `json:"details"`
		} `json:"error"`
	}
	err := json.Unmarshal(body, &answer)
	if err != nil || answer.Error == nil || answer.Error.Code == "" || answer.Error.Message == "" {
		failure.Code = CodeUnexpectedAnswer
		failure.Message = fmt.Sprintf("this is not an answer that a Zimbo gateway gives (status %d): is the base URL right?", status)
		return failure
	}
	failure.Code = answer.Error.Code
	failure.Message = answer.Error.Message
	failure.Param = answer.Error.Param
	failure.Details = problemsIn(answer.Error.Details)
	if failure.RequestID == "" {
		failure.RequestID = answer.Error.RequestID
	}
	return failure
}

// problemsIn leaves out what other programs put there.
func problemsIn(details json.RawMessage) []Problem {
	var problems []Problem
	if json.Unmarshal(details, &problems) != nil {
		return nil
	}
	return slices.DeleteFunc(problems, func(each Problem) bool { return each.Param == "" || each.Message == "" })
}

var (
	aSeconds = regexp.MustCompile(`^[0-9]+$`)
	// A date has a comma after its weekday.
	weekday = regexp.MustCompile(`\b([A-Z][a-z]{2,8}),`)
)

// retryAfter reads a number of seconds or, from some proxies, a date; of several values the longest counts.
func retryAfter(header http.Header) (longest time.Duration, isGiven bool) {
	joined := weekday.ReplaceAllString(strings.Join(header.Values("Retry-After"), ","), "$1;")
	for value := range strings.SplitSeq(joined, ",") {
		wait, ok := waitIn(strings.TrimSpace(strings.ReplaceAll(value, ";", ",")), header)
		if ok {
			longest, isGiven = max(longest, wait), true
		}
	}
	return longest, isGiven
}

func waitIn(value string, header http.Header) (time.Duration, bool) {
	if aSeconds.MatchString(value) {
		// More than an int64 holds becomes the largest one; RFC 9111 counts more than fits as 2³¹.
		seconds, _ := strconv.ParseInt(value, 10, 64)
		return time.Duration(min(seconds, 1<<31)) * time.Second, true
	}
	until, err := http.ParseTime(value)
	if err != nil {
		until, err = time.Parse(time.RFC1123Z, value)
	}
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, until.Sub(now)), true
}
