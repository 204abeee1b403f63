"""What all joins of two inputs refuse."""

from tests.engine.operators.few_rows import refusal

NEAR = {"type": "interval_join", "between": {"lower": 0, "upper": 9}}
BY_NUMBER = {"id": "c", "type": "key_by", "inputs": ["t"], "keys": ["n"]}


def test_keys_of_different_types_are_refused() -> None:
    message = refusal(BY_NUMBER, {**NEAR, "inputs": ["b", "c"]})

    assert "its inputs have keys of different types, STRING and LONG" in message


def test_an_input_of_several_row_types_is_refused() -> None:
    message = refusal(
        {"id": "m", "type": "map", "inputs": ["t"], "select": {"k": "k"}},
        {"id": "u", "type": "co_map", "inputs": ["m", "t"]},
        {"id": "d", "type": "key_by", "inputs": ["u"], "keys": ["k"]},
        {**NEAR, "inputs": ["d", "b"]},
    )

    assert "an input of it has several" in message
