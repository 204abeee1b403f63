"""Names of Flink's classes and members, as source code has them."""

from explorer.model.api_use import ApiUse, api_name, method_name
from tests.many_cases import for_each


@for_each(
    ("owner", "member", "name"),
    [
        ("a/b/RichFunction", "", "RichFunction"),
        ("a/b/Rich$Part", "", "Rich.Part"),
        ("a/Rich", "open(La/Configuration;)V", "Rich.open(Configuration)"),
        ("a/Rich", "close()V", "Rich.close()"),
        ("a/Rich", "<init>(La/b/Outer$Inner;I)V", "Rich(Outer.Inner, int)"),
        ("a/Rich", "NAME:I", "Rich.NAME"),
        ("Rich", "f([[JZ[La/B;)La/C;", "Rich.f(long[][], boolean, B[])"),
    ],
)
def test_a_member_is_named_with_its_class_and_its_parameters(
    owner: str, member: str, name: str
) -> None:
    assert api_name(owner, member) == name
    assert ApiUse(owner=owner, member=member, users=("x.Job",)).name == name


def test_a_method_without_its_class_has_no_result() -> None:
    assert method_name("open(La/Configuration;S)La/Result;") == "open(Configuration, short)"
