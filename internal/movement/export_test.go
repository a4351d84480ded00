package movement

import (
	"context"
	"sync"
)

// Turn is one round of Run that returns when its work is done.
func (e *Engine) Turn(ctx context.Context) error {
	var lanes sync.WaitGroup
	defer lanes.Wait()
	return e.dispatch(ctx, &lanes)
}
