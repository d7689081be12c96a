from inspector.formats.model_formats import MODEL_FORMATS
from tests.ui.programs.one_of_each_format import write


def test_every_format_has_a_file_for_the_nightly_clicks(tmp_path):
    assert len(write(tmp_path)) == len(MODEL_FORMATS)
