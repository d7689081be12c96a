"""Keys of a model's metadata under which readers of formats put what files hold inside."""

# Of a model that takes text: "bert", "regex" or "sentencepiece", the pattern between words, the
# vocabulary, one piece a line, and the SentencePiece model in base64.
TOKENIZER_KIND = "tokenizer.kind"
TOKENIZER_PATTERN = "tokenizer.pattern"
TOKENIZER_VOCABULARY = "tokenizer.vocabulary"
TOKENIZER_MODEL = "tokenizer.model"
# Of an output whose scores are to be calibrated: what is done to a score before the sigmoid of
# its class, the score of classes without one, and the name of the file with their parameters;
# the text of that file is an entry of the model, under this prefix and its name.
CALIBRATION_TRANSFORMATION = "score_transformation"
CALIBRATION_DEFAULT = "default_score"
CALIBRATION_FILE = "score calibration"
CALIBRATION_TEXT = "score_calibration."
# Of an output: what somebody says that it means, see preview/families/output_meanings.py.
MEANING = "inspector.meaning"
