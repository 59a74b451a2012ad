package zimbo

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Centavos is an amount in the smallest unit of a currency: 10000 is 100.00 CVE.
type Centavos int64

// UnmarshalJSON reads the API's text.
func (c *Centavos) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	amount, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no amount in centavos", text)
	}
	*c = Centavos(amount)
	return nil
}

// MarshalJSON writes the API's text.
func (c Centavos) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatInt(int64(c), 10))
}

// Optional is a parameter that may be absent, which is its zero value, or null.
type Optional[T any] struct {
	value   T
	isGiven bool
	isNull  bool
}

// Some gives a parameter.
func Some[T any](value T) Optional[T] {
	return Optional[T]{value: value, isGiven: true}
}

// Null gives null, which clears a field in an update.
func Null[T any]() Optional[T] {
	return Optional[T]{isGiven: true, isNull: true}
}

// IsZero tells encoding/json to leave an absent parameter out.
func (o Optional[T]) IsZero() bool {
	return !o.isGiven
}

// MarshalJSON writes the value or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.isNull {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads the value or null.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	o.isGiven = true
	o.isNull = string(data) == "null"
	if o.isNull {
		return nil
	}
	return json.Unmarshal(data, &o.value)
}
