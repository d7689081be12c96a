from PySide6.QtWidgets import QMenu, QPushButton

from inspector.ui.tabs.preview.outputs.class_bars import ClassBars
from tests.ui.made_documents import classes, opened
from tests.ui.tabs.preview import tabs


def test_lists_that_fit_the_classes_are_offered_and_name_them(qtbot, theme, samples, engine):
    engine.answer = classes([0.0] * 3 + [0.9, 0.1] + [0.0] * 5)
    tab = tabs.answered(qtbot, theme, opened(qtbot, samples / "wine_tabular.onnx", engine))
    (choose,) = (
        b for b in tab.findChildren(QPushButton) if b.isVisible() and b.text() == "Class names…"
    )
    choose.setFocus()
    choose.click()
    (menu,) = tab.findChildren(QMenu)
    offered = {action.text(): action for action in menu.actions() if action.text()}
    assert list(offered) == [
        "No class names",
        "CIFAR-10 · 10",
        "Fashion-MNIST · 10",
        "Digits · 10",
        "From a file…",
    ]
    with qtbot.waitSignal(tab.predicting.answered):
        offered["CIFAR-10 · 10"].trigger()
    (bars,) = tab.findChildren(ClassBars)
    assert bars.accessibleDescription().startswith("cat: 90.00%; deer: 10.00%")
    with qtbot.waitSignal(tab.predicting.answered):
        offered["No class names"].trigger()
    assert "cat" not in bars.accessibleDescription()
    menu.hide()
