"""What happened when: columns of spans on one clock, in lanes. The door to all of it."""

from inspector.columns import Column as Column
from inspector.columns import from_columns as from_columns
from inspector.counters import FLOWS as FLOWS
from inspector.counters import Counter as Counter
from inspector.counters import Flow as Flow
from inspector.counters import Flows as Flows
from inspector.counters import Moment as Moment
from inspector.nesting import nesting as nesting
from inspector.spans import COLUMNS as COLUMNS
from inspector.spans import WIDE as WIDE
from inspector.spans import Narrow as Narrow
from inspector.spans import Span as Span
from inspector.spans import Trace as Trace
from inspector.spans import Traced as Traced
from inspector.trace_builder import TraceBuilder as TraceBuilder
from inspector.tracks import KINDS as KINDS
from inspector.tracks import Kind as Kind
from inspector.tracks import Lane as Lane
from inspector.tracks import NamedLayer as NamedLayer
from inspector.tracks import TracedLayer as TracedLayer
from inspector.tracks import Track as Track
