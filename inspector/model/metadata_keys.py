"""Keys of a model's metadata under which readers of formats put what files hold inside."""

# Of a model that takes text: "bert", "regex" or "sentencepiece", the pattern between words, and
# the vocabulary, one piece a line.
TOKENIZER_KIND = "tokenizer.kind"
TOKENIZER_PATTERN = "tokenizer.pattern"
TOKENIZER_VOCABULARY = "tokenizer.vocabulary"
# Of an output: what somebody says that it means, see preview/families/output_meanings.py.
MEANING = "inspector.meaning"
