package bundle

// WithChecksum appends a valid checksum to a payload.
func WithChecksum(payload []byte) []byte { return append(payload, checksum(payload)...) }
