package network

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

func TestStartWaitsForTheServiceOfAKilledNetwork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	awaitPredecessor(t.Context(), dir) // a new folder has none

	// cat stands for the service: it ends when its stdin does.
	service := exec.Command("cat")
	stdin, err := service.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	if err := rememberProcess(dir, service.Process.Pid); err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	awaitPredecessor(impatient, dir)
	if impatient.Err() == nil {
		t.Error("did not wait for a living service")
	}

	reaped := make(chan error, 1)
	time.AfterFunc(50*time.Millisecond, func() {
		stdin.Close()
		reaped <- service.Wait()
	})
	awaitPredecessor(t.Context(), dir)
	select {
	case err := <-reaped:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Second):
		t.Error("went on before the service had ended")
	}
}
