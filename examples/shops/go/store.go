package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

type order struct {
	ID, Product string
	// Price is in centavos.
	Price int64
	// Status is NEW, PAID, REFUNDING, REFUNDED or REFUND_FAILED.
	Status string
	// Attempt counts the checkout sessions of the order.
	Attempt                  int
	Session, Payment, Refund string
}

// sessionKey makes repeated calls open the same session. The id of the order alone would do so for ever, also once that
// session has expired.
func (o order) sessionKey() string {
	return fmt.Sprintf("%s session %d", o.ID, o.Attempt)
}

// store keeps orders in a file. A real shop has a database, and each function here is a transaction.
type store struct {
	path string
	lock sync.Mutex
	kept kept
}

type kept struct {
	Orders map[string]order
	// Events are those that have changed something: they may arrive again.
	Events map[string]bool
}

func openStore(path string) (*store, error) {
	s := &store{path: path, kept: kept{Orders: map[string]order{}, Events: map[string]bool{}}}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	return s, json.Unmarshal(content, &s.kept)
}

// find returns an order without an ID if there is none.
func (s *store) find(id string) order {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.kept.Orders[id]
}

// sold says how many of each product were sold.
func (s *store) sold() map[string]int {
	s.lock.Lock()
	defer s.lock.Unlock()
	counts := map[string]int{}
	for _, o := range s.kept.Orders {
		if o.Status == "PAID" {
			counts[o.Product]++
		}
	}
	return counts
}

// add does nothing if the order is there already.
func (s *store) add(o order) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if _, isKnown := s.kept.Orders[o.ID]; isKnown {
		return nil
	}
	return s.write(o, "")
}

// change changes an order, if it is there, while nobody else can. An event that caused the change is remembered in the
// same write, so that it does nothing when it arrives again.
func (s *store) change(id, eventID string, change func(*order)) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	o, isKnown := s.kept.Orders[id]
	if !isKnown || s.kept.Events[eventID] {
		return nil
	}
	before := o
	if change(&o); o == before && eventID == "" {
		return nil
	}
	return s.write(o, eventID)
}

// write puts an order and an event on the disk, both or neither.
func (s *store) write(o order, eventID string) error {
	before, hadBefore := s.kept.Orders[o.ID]
	s.kept.Orders[o.ID] = o
	if eventID != "" {
		s.kept.Events[eventID] = true
	}
	err := s.save()
	if err != nil {
		delete(s.kept.Events, eventID)
		delete(s.kept.Orders, o.ID)
		if hadBefore {
			s.kept.Orders[o.ID] = before
		}
	}
	return err
}

func (s *store) save() error {
	content, err := json.Marshal(s.kept)
	if err != nil {
		return err
	}
	file, err := os.Create(s.path + ".new")
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(content); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return os.Rename(s.path+".new", s.path)
}
