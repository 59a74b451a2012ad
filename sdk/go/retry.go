package zimbo

import "time"

const (
	firstGap   = 500 * time.Millisecond
	longestGap = 8 * time.Second
	// A longer wait becomes an error, instead of a hanging call.
	longestRetryAfter = 60 * time.Second
)

// retryGap returns how long to wait before the next attempt, and whether there is one. The pauses double, each
// shortened at random by up to a half, and are at least as long as Retry-After asks. Random is at least 0, below 1.
func retryGap(failure *Error, failedBefore int, isRepeatable bool, random float64) (time.Duration, bool) {
	isOutage := failure.Code == CodeConnectionFailed || failure.Code == CodeTimeout ||
		failure.Status >= 500 || failure.Status == 408
	// A rate-limited request was not executed, so any request may be repeated.
	if failure.Status != 429 && !(isOutage && isRepeatable) {
		return 0, false
	}
	if failure.RetryAfter > longestRetryAfter {
		return 0, false
	}
	gap := min(longestGap, firstGap<<min(failedBefore, 10))
	return failure.RetryAfter + time.Duration(float64(gap)*(1-random/2)), true
}
