package zimbo

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

type step struct {
	Call        string
	Path        []string
	Body        map[string]any
	Query       map[string]any
	Key         string
	As          string
	Expect      map[string]any
	ExpectFirst map[string]any
	Until       map[string]any
	Error       string
	Param       string
}

// Plays vectors/story.json against a gateway: every operation of the API at least once. ZIMBO_URL, ZIMBO_API_KEY and
// RECEIVER_URL name the gateway and the receiver of its webhooks.
func TestStory(t *testing.T) {
	if os.Getenv("ZIMBO_URL") == "" {
		t.Skip("ZIMBO_URL names no gateway")
	}
	client, err := New(os.Getenv("ZIMBO_API_KEY"), os.Getenv("ZIMBO_URL"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../vectors/story.json")
	if err != nil {
		t.Fatal(err)
	}
	var story []step
	if err := json.Unmarshal(text, &story); err != nil {
		t.Fatal(err)
	}
	known := map[string]any{
		"receiver": os.Getenv("RECEIVER_URL"),
		"month":    time.Now().UTC().Add(-time.Hour).Format("2006-01"),
	}
	called := map[string]bool{}
	for _, s := range story {
		called[s.Call] = true
		play(t, client, s, known)
	}
	t.Logf("%d operations, %d calls: done", len(called), len(story))
}

func play(t *testing.T, client *Client, s step, known map[string]any) {
	t.Helper()
	until := time.Now().Add(30 * time.Second)
	for {
		answer, err := send1(client, s, known)
		var failure *Error
		if errors.As(err, &failure) {
			if failure.Code != s.Error || (s.Param != "" && failure.Param != s.Param) || failure.RequestID == "" {
				t.Fatalf("%s: %v", s.Call, err)
			}
			return
		}
		if err != nil || s.Error != "" {
			t.Fatalf("%s: %v, not %q", s.Call, err, s.Error)
		}
		if holds(answer, s.Until, known) {
			if !holds(answer, s.Expect, known) || !holds(answer, s.ExpectFirst, known) {
				t.Fatalf("%s: %v", s.Call, answer)
			}
			known[s.As] = answer
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%s: never reached %v", s.Call, s.Until)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// send1 calls an operation by its name, and returns the fields of the answer, or of the first item of a list.
func send1(client *Client, s step, known map[string]any) (map[string]any, error) {
	names := strings.Split(s.Call, ".")
	owner := reflect.ValueOf(client).Elem()
	for _, name := range names[:len(names)-1] {
		owner = reflect.Indirect(owner).FieldByName(exportedName(name))
	}
	method := owner.MethodByName(exportedName(names[len(names)-1]))
	kind := method.Type()
	arguments := []reflect.Value{}
	if kind.NumIn() > 0 && kind.In(0).String() == "context.Context" {
		arguments = append(arguments, reflect.ValueOf(context.Background()))
	}
	for _, each := range s.Path {
		arguments = append(arguments, reflect.ValueOf(fill(each, known)))
	}
	if len(arguments) < kind.NumIn()-1 && kind.In(len(arguments)).Kind() == reflect.Struct {
		given := map[string]any{}
		for _, part := range []map[string]any{s.Body, s.Query} {
			for name, value := range part {
				given[name] = fill(value, known)
			}
		}
		text, _ := json.Marshal(given)
		params := reflect.New(kind.In(len(arguments)))
		if err := json.Unmarshal(text, params.Interface()); err != nil {
			return nil, err
		}
		arguments = append(arguments, params.Elem())
	}
	key := s.Key + "-" + os.Getenv("RUN")
	if len(arguments) < kind.NumIn()-1 {
		arguments = append(arguments, reflect.ValueOf(key))
	} else if s.Key != "" {
		arguments = append(arguments, reflect.ValueOf(IdempotencyKey(key)))
	}
	results := method.Call(arguments)
	if page := results[0].MethodByName("Page"); results[0].Kind() == reflect.Pointer && page.IsValid() {
		results = page.Call([]reflect.Value{reflect.ValueOf(context.Background())})
	}
	if err, isError := results[len(results)-1].Interface().(error); isError {
		return nil, err
	}
	text, err := json.Marshal(results[0].Interface())
	if err != nil {
		return nil, err
	}
	return firstOf(text), nil
}

func firstOf(text []byte) map[string]any {
	var found map[string]any
	_ = json.Unmarshal(text, &found)
	if data, isList := found["data"].([]any); isList && found["hasMore"] != nil && len(data) > 0 {
		found, _ = data[0].(map[string]any)
	}
	if raw, isEvent := found["Raw"].(map[string]any); isEvent {
		return raw
	}
	return found
}

var initialism = regexp.MustCompile(`Csv$`)

func exportedName(name string) string {
	return initialism.ReplaceAllString(strings.ToUpper(name[:1])+name[1:], "CSV")
}

// fill replaces $payment.id by the field of an object of the story so far.
func fill(value any, known map[string]any) any {
	switch value := value.(type) {
	case string:
		if !strings.HasPrefix(value, "$") {
			return value
		}
		name, field, hasField := strings.Cut(value[1:], ".")
		if !hasField {
			return known[name]
		}
		return known[name].(map[string]any)[field]
	case []any:
		filled := make([]any, len(value))
		for i, each := range value {
			filled[i] = fill(each, known)
		}
		return filled
	case map[string]any:
		filled := map[string]any{}
		for name, each := range value {
			filled[name] = fill(each, known)
		}
		return filled
	}
	return value
}

// holds compares fields; amounts of answers are texts in JSON.
func holds(answer map[string]any, fields map[string]any, known map[string]any) bool {
	for name, value := range fields {
		wanted, found := fill(value, known), answer[name]
		if amount, isAmount := wanted.(float64); isAmount {
			found, wanted = asText(found), asText(amount)
		}
		if !reflect.DeepEqual(found, wanted) {
			return false
		}
	}
	return true
}

func asText(value any) string {
	text, _ := json.Marshal(value)
	return strings.Trim(string(text), `"`)
}
