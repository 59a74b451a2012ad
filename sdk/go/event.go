package zimbo

import (
	"bytes"
	"encoding/json"
	"time"
)

// Event is something that happened. It is a hint: ask for the object's state before you act on it.
type Event struct {
	// ID is the same in every attempt, so you can use it to deduplicate.
	ID   string
	Type EventType
	// Data is the object as it was then, such as a *Payment; a json.RawMessage for a type that this version does not
	// know.
	Data      any
	CreatedAt time.Time
	// Raw is the event as it arrived.
	Raw json.RawMessage
}

// UnmarshalJSON reads the object by the event's type.
func (e *Event) UnmarshalJSON(data []byte) error {
	var raw struct {
		ID        string          `json:"id"`
		Type      EventType       `json:"type"`
		Data      json.RawMessage `json:"data"`
		CreatedAt time.Time       `json:"createdAt"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	var object any = raw.Data
	if read, isKnown := eventReaders[raw.Type]; isKnown {
		var err error
		if object, err = read(raw.Data); err != nil {
			return err
		}
	}
	*e = Event{ID: raw.ID, Type: raw.Type, Data: object, CreatedAt: raw.CreatedAt, Raw: bytes.Clone(data)}
	return nil
}

func readEvent[T any](data json.RawMessage) (any, error) {
	object := new(T)
	return object, json.Unmarshal(data, object)
}
