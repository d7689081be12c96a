from inspector.model.display_names import suggestion


def test_the_nearest_name_is_suggested() -> None:
    assert suggestion("bacth", ["length", "batch"]) == "Did you mean 'batch'?"
    assert suggestion("DATA_0", ["data_0"]) == "Did you mean 'data_0'?"


def test_without_a_near_one_the_names_are_listed_up_to_a_dozen() -> None:
    assert suggestion("x", ["input", "mask"]) == "Available: 'input', 'mask'."
    assert suggestion("x", [f"input {n}" for n in range(30)]).endswith(
        "'input 11' and 18 more."
    )
    assert suggestion("x", []) == ""
