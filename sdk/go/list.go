package zimbo

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
)

const largestLimit = 100

// Page of a list, newest first.
type Page[T any] struct {
	Data []T `json:"data"`
	// HasMore tells whether another page follows.
	HasMore bool `json:"hasMore"`
}

type listAnswer[T any] struct {
	Data []T `json:"data"`
}

// List sends nothing until you iterate over it; each iteration starts over.
type List[T any] struct {
	transport *transport
	request   request
	options   []CallOption
}

func newList[T any](t *transport, r request, options []CallOption) *List[T] {
	return &List[T]{transport: t, request: r, options: options}
}

// Page fetches the first page: up to Limit items, by default 20.
func (l *List[T]) Page(ctx context.Context) (*Page[T], error) {
	return send[Page[T]](ctx, l.transport, l.request, l.options)
}

// All iterates over the items of all pages. It ends after an error.
func (l *List[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for page, err := range l.Pages(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Data {
				if !yield(&page.Data[i], nil) {
					return
				}
			}
		}
	}
}

// Pages iterates over the pages, of up to Limit items, by default 100. It ends after an error.
func (l *List[T]) Pages(ctx context.Context) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		query, err := l.firstQuery()
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			page, nextID, err := l.fetch(ctx, query)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(page, nil) || !page.HasMore {
				return
			}
			cursor := cursorOf(query)
			if nextID == "" || nextID == query[cursor] {
				const message = "the list is incomplete: the answer says that more follows, but has nothing new"
				yield(nil, &Error{Code: CodeUnexpectedAnswer, Message: message})
				return
			}
			query[cursor] = nextID
		}
	}
}

// firstQuery has the parameters of the list, and a limit.
func (l *List[T]) firstQuery() (map[string]any, error) {
	text, err := json.Marshal(l.request.query)
	if err != nil {
		return nil, err
	}
	query := map[string]any{}
	if err := json.Unmarshal(text, &query); err != nil {
		return nil, err
	}
	if query["limit"] == nil {
		query["limit"] = largestLimit
	}
	return query, nil
}

// cursorOf is the parameter that leads to the next page: with ending_before, pages are newer and newer.
func cursorOf(query map[string]any) string {
	if query["ending_before"] != nil {
		return "ending_before"
	}
	return "starting_after"
}

func (l *List[T]) fetch(ctx context.Context, query map[string]any) (page *Page[T], nextID string, err error) {
	r := l.request
	r.query = query
	page = &Page[T]{}
	var ids struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	err = l.transport.call(ctx, r, l.options, func(body []byte) error {
		return errors.Join(readObject(body, page), readObject(body, &ids))
	})
	if count := len(ids.Data); count > 0 {
		nextID = ids.Data[count-1].ID
		if cursorOf(query) == "ending_before" {
			nextID = ids.Data[0].ID
		}
	}
	return page, nextID, err
}
