"""Tables of windows and documents: changed layers, weights, reports, numbers of a candidate."""
